// family: few warps
// Style: blocks of 64 threads with a staging buffer of 96 KiB of dynamic shared memory each.
// Limit: two blocks fit a multiprocessor, four warps: too few to hide the latency of memory.
#include "workbook.cuh"

constexpr int threads = 64;
constexpr int buffer_bytes = 96 * 1024;
constexpr int pixels_a_round = 4096;  // 3 * 4096 bytes in, 4096 bytes out

__global__ void gray_staged(const uint8_t* rgb, uint8_t* gray, int n) {
    extern __shared__ uint32_t buffer[];
    uint8_t* bytes = reinterpret_cast<uint8_t*>(buffer);
    for (int base = blockIdx.x * pixels_a_round; base < n; base += gridDim.x * pixels_a_round) {
        const int count = min(pixels_a_round, n - base);
        // base is a multiple of 4096, so the words are aligned.
        const uint32_t* words = reinterpret_cast<const uint32_t*>(rgb + 3 * base);
        for (int w = threadIdx.x; w < 3 * count / 4; w += threads) buffer[w] = words[w];
        for (int i = 3 * count / 4 * 4 + threadIdx.x; i < 3 * count; i += threads)
            bytes[i] = rgb[3 * base + i];
        __syncthreads();
        for (int i = threadIdx.x; i < count; i += threads)
            gray[base + i] =
                0.3f * bytes[3 * i] + 0.59f * bytes[3 * i + 1] + 0.11f * bytes[3 * i + 2] + 0.5f;
        __syncthreads();  // the next round overwrites the buffer
    }
}

__global__ void dark_staged(const uint8_t* planes, uint8_t* gray, int n) {
    extern __shared__ uint32_t buffer[];
    float* sums = reinterpret_cast<float*>(buffer);
    for (int base = blockIdx.x * pixels_a_round; base < n; base += gridDim.x * pixels_a_round) {
        const int count = min(pixels_a_round, n - base);
        // Only the thread itself comes back to its sums: no barrier.
        for (int i = threadIdx.x; i < count; i += threads) sums[i] = 0.3f * planes[base + i];
        for (int i = threadIdx.x; i < count; i += threads) sums[i] += 0.59f * planes[n + base + i];
        for (int i = threadIdx.x; i < count; i += threads)
            gray[base + i] = (sums[i] + 0.11f * planes[2 * n + base + i]) * 0.6f + 0.5f;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    cudaFuncSetAttribute(gray_staged, cudaFuncAttributeMaxDynamicSharedMemorySize, buffer_bytes);
    const int blocks = min(ceil_div(n, pixels_a_round), 4096);
    gray_staged<<<blocks, threads, buffer_bytes>>>(rgb, gray, n);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    cudaFuncSetAttribute(dark_staged, cudaFuncAttributeMaxDynamicSharedMemorySize, buffer_bytes);
    const int blocks = min(ceil_div(n, pixels_a_round), 4096);
    dark_staged<<<blocks, threads, buffer_bytes>>>(planar_rgb, gray, n);
}
