// lab2 gray_histogram: three words a thread and step, four replicas of the counters, persistent blocks
// Limit: integer arithmetic and four shared atomics a step
#include "workbook.cuh"

__global__ void __launch_bounds__(384)
    fused(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray, uint32_t* bins, int n) {
    __shared__ uint32_t h[4][256 + 8];
    for (int k = threadIdx.x; k < 4 * 264; k += 384) (&h[0][0])[k] = 0;
    __syncthreads();
    uint32_t* own = h[threadIdx.x & 3];
    const uint32_t* in = reinterpret_cast<const uint32_t*>(rgb);
    for (int q = blockIdx.x * 384 + threadIdx.x; q < n / 4; q += gridDim.x * 384) {
        uint32_t a = in[3 * q], b = in[3 * q + 1], c = in[3 * q + 2];
        uint32_t v0 = (30 * (a & 255) + 59 * (a >> 8 & 255) + 11 * (a >> 16 & 255) + 50) / 100;
        uint32_t v1 = (30 * (a >> 24) + 59 * (b & 255) + 11 * (b >> 8 & 255) + 50) / 100;
        uint32_t v2 = (30 * (b >> 16 & 255) + 59 * (b >> 24) + 11 * (c & 255) + 50) / 100;
        uint32_t v3 = (30 * (c >> 8 & 255) + 59 * (c >> 16 & 255) + 11 * (c >> 24) + 50) / 100;
        reinterpret_cast<uint32_t*>(gray)[q] = v0 | v1 << 8 | v2 << 16 | v3 << 24;
        atomicAdd(own + v0, 1u);
        atomicAdd(own + v1, 1u);
        atomicAdd(own + v2, 1u);
        atomicAdd(own + v3, 1u);
    }
    int i = n / 4 * 4 + blockIdx.x * 384 + threadIdx.x;
    if (i < n) {
        uint32_t v = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        gray[i] = v;
        atomicAdd(own + v, 1u);
    }
    __syncthreads();
    int t = threadIdx.x;
    if (t < 256) atomicAdd(bins + t, h[0][t] + h[1][t] + h[2][t] + h[3][t]);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    fused<<<132 * 4, 384>>>(rgb, gray, bins, width * height);
}
