// lab2 histogram: 16 bytes a thread; runs of equal bytes become one atomic
// Limit: a branch after each byte, shared atomics
#include "workbook.cuh"

__global__ void runs(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    int chunks = n / 16;
    for (int c = blockIdx.x * 256 + threadIdx.x; c < chunks; c += gridDim.x * 256) {
        uint4 v = reinterpret_cast<const uint4*>(gray)[c];
        uint32_t w[4] = {v.x, v.y, v.z, v.w};
        uint32_t last = w[0] & 255, run = 0;
#pragma unroll
        for (int k = 0; k < 16; k++) {
            uint32_t b = w[k / 4] >> 8 * (k % 4) & 255;
            if (b != last) {
                atomicAdd(h + last, run);
                last = b;
                run = 0;
            }
            run++;
        }
        atomicAdd(h + last, run);
    }
    int rest = 16 * chunks + blockIdx.x * 256 + threadIdx.x;
    if (rest < n) atomicAdd(h + gray[rest], 1u);
    __syncthreads();
    atomicAdd(bins + threadIdx.x, h[threadIdx.x]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    runs<<<132 * 5, 256>>>(gray, bins, width * height);
}
