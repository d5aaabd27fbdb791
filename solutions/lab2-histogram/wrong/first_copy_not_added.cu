// expect: mismatch histogram
// tasks: histogram
// fault: the first of the 32 histograms of a block is not added.
#include "workbook.cuh"

// ---- Task 1: histogram --------------------------------------------------------------------------

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256 * 32];
    for (int k = threadIdx.x; k < 256 * 32; k += blockDim.x) {
        counts[k] = 0;
    }
    const int lane = threadIdx.x % 32;
    __syncthreads();
    const int stride = gridDim.x * blockDim.x;
    const int start = blockIdx.x * blockDim.x + threadIdx.x;
    const int groups = pixels / 16;
    const uint4* gray16 = reinterpret_cast<const uint4*>(gray);
    for (int i = start; i < groups; i += stride) {
        const uint4 sixteen = gray16[i];
        const uint32_t words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
        #pragma unroll
        for (int w = 0; w < 4; ++w) {
            for (int s = 0; s < 32; s += 8) {
                atomicAdd(&counts[(words[w] >> s & 0xff) * 32 + lane], 1u);
            }
        }
    }
    for (int i = groups * 16 + start; i < pixels; i += stride) {
        atomicAdd(&counts[gray[i] * 32 + lane], 1);
    }
    __syncthreads();
    if (threadIdx.x < 256) {
        uint32_t sum = 0;
        for (int k = 1; k < 32; ++k) {
            sum += counts[threadIdx.x * 32 + (k + threadIdx.x) % 32];
        }
        atomicAdd(&bins[threadIdx.x], sum);
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    constexpr int block_size = 1024;  // tune: 256 512 1024
    constexpr int blocks = 264; // tune: 132 198 264 396 528
    histogram_kernel<<<blocks, block_size>>>(gray, bins, pixels);
}
