// family: shared tables
// Style: tables of float products in shared memory, made anew by each block of 512 threads.
// Limit: three look-ups a pixel with lanes that meet in banks, and the tables' start-up cost.
#include "workbook.cuh"

#define THREADS 512

struct Tables {
    float red[256], green[256], blue[256];
};

__device__ void make(Tables& t, float scale) {
    for (int v = threadIdx.x; v < 256; v += THREADS) {
        t.red[v] = scale * 0.3f * v;
        t.green[v] = scale * 0.59f * v;
        t.blue[v] = scale * 0.11f * v;
    }
    __syncthreads();  // any thread may need any entry
}

__global__ void __launch_bounds__(THREADS)
    gray_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray, int n) {
    __shared__ Tables t;
    make(t, 1.0f);
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        gray[i] = t.red[rgb[3 * i]] + t.green[rgb[3 * i + 1]] + t.blue[rgb[3 * i + 2]] + 0.5f;
}

__global__ void __launch_bounds__(THREADS)
    dark_kernel(const uint8_t* __restrict__ planes, uint8_t* __restrict__ gray, int n) {
    __shared__ Tables t;
    make(t, 0.6f);
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        gray[i] = t.red[planes[i]] + t.green[planes[n + i]] + t.blue[planes[2 * n + i]] + 0.5f;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    gray_kernel<<<min(ceil_div(n, THREADS), 1056), THREADS>>>(rgb, gray, n);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    dark_kernel<<<min(ceil_div(n, THREADS), 1056), THREADS>>>(planar_rgb, gray, n);
}
