// lab3 contrast_stretch: shared minimum and maximum; then a division of integers for every pixel
// Limit: an integer division a pixel
#include "workbook.cuh"

__global__ void levels(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n / 4; i += gridDim.x * 256) {
        uint32_t w = reinterpret_cast<const uint32_t*>(gray)[i];
        for (int s = 0; s < 32; s += 8) atomicAdd(&h[w >> s & 255], 1u);
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4) atomicAdd(&h[gray[n - 1 - threadIdx.x]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}

__global__ void find(const uint32_t* bins, int* range, uint32_t enough) {
    __shared__ int low, high;
    if (threadIdx.x == 0) {
        low = 255;
        high = 0;
    }
    __syncthreads();
    if (bins[threadIdx.x] >= enough) {
        atomicMin(&low, (int)threadIdx.x);
        atomicMax(&high, (int)threadIdx.x);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        range[0] = low;
        range[1] = high;
    }
}

__global__ void spread(const uint8_t* gray, uint8_t* out, const int* range, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    int low = range[0], high = range[1], i = y * width + x;
    int v = gray[i];
    if (low != high) {
        int wide = (255 * (v - low) + (high - low) / 2) / (high - low);
        v = v < low ? 0 : min(wide, 255);
    }
    out[i] = v;
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    int n = width * height;
    uint32_t* bins;
    int* range;
    cudaMalloc(&bins, 1024);
    cudaMalloc(&range, 8);
    cudaMemset(bins, 0, 1024);
    levels<<<660, 256>>>(gray, bins, n);
    find<<<1, 256>>>(bins, range, (n + 1023) / 1024);
    spread<<<dim3(ceil_div(width, 512), height), 512>>>(gray, out, range, width, height);
    cudaFree(range);
    cudaFree(bins);
}
