// family: atomics shared
// Style: counters are floats in shared memory (a weighted histogram whose weights are all one).
// Limit: a float addition in shared memory is a loop of compare-and-swap on many GPUs.
#include "workbook.cuh"

constexpr int threads = 256;
constexpr int pixels_a_thread = 32;

__global__ void weighted(const uint8_t* gray, uint32_t* bins, float weight, int n) {
    __shared__ float counts[256];
    counts[threadIdx.x] = 0.0f;
    __syncthreads();
    const int base = blockIdx.x * threads * pixels_a_thread + threadIdx.x;
    for (int k = 0; k < pixels_a_thread; ++k) {
        const int i = base + k * threads;
        if (i < n) atomicAdd(&counts[gray[i]], weight);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], __float2uint_rn(counts[threadIdx.x]));
}

__global__ void weighted_gray(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, float weight,
                              int n) {
    __shared__ float counts[256];
    counts[threadIdx.x] = 0.0f;
    __syncthreads();
    const int base = blockIdx.x * threads * pixels_a_thread + threadIdx.x;
    for (int k = 0; k < pixels_a_thread; ++k) {
        const int i = base + k * threads;
        if (i >= n) break;
        // Whole numbers up to 25,550: exact in float, and so is the level of their quotient.
        const float sum = 30.0f * rgb[3 * i] + 59.0f * rgb[3 * i + 1] + 11.0f * rgb[3 * i + 2];
        const int level = static_cast<int>((sum + 50.0f) / 100.0f);
        gray[i] = level;
        atomicAdd(&counts[level], weight);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], __float2uint_rn(counts[threadIdx.x]));
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    weighted<<<ceil_div(n, threads * pixels_a_thread), threads>>>(gray, bins, 1.0f, n);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    weighted_gray<<<ceil_div(n, threads * pixels_a_thread), threads>>>(rgb, gray, bins, 1.0f, n);
}
