// family: unrolled
// Style: a thread takes eight neighbouring pixels as uchar3, fully unrolled, blocks of 64.
// Limit: the lanes of a load are 24 bytes apart, so every load touches most sectors of 768 bytes.
#include "workbook.cuh"

constexpr int run = 8;

template <bool whole>
__device__ void gray_run(const uchar3* pixels, uint8_t* gray, int count) {
    uchar3 color[run];
#pragma unroll
    for (int k = 0; k < run; ++k)
        if (whole || k < count) color[k] = pixels[k];
#pragma unroll
    for (int k = 0; k < run; ++k)
        if (whole || k < count)
            gray[k] = (19661 * color[k].x + 38666 * color[k].y + 7209 * color[k].z + 32768) >> 16;
}

__global__ void gray_runs(const uint8_t* rgb, uint8_t* gray, int n) {
    const int first = run * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first >= n) return;
    const uchar3* pixels = reinterpret_cast<const uchar3*>(rgb) + first;
    if (first + run <= n)
        gray_run<true>(pixels, gray + first, run);
    else
        gray_run<false>(pixels, gray + first, n - first);
}

__global__ void dark_runs(const uint8_t* planes, uint8_t* gray, int n) {
    const int first = run * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
    for (int k = 0; k < run; ++k) {
        const int i = first + k;
        if (i >= n) break;
        const int sum = 11796 * planes[i] + 23200 * planes[n + i] + 4325 * planes[2 * n + i];
        gray[i] = (sum + 32768) >> 16;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    gray_runs<<<ceil_div(n, 64 * run), 64>>>(rgb, gray, n);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    dark_runs<<<ceil_div(n, 64 * run), 64>>>(planar_rgb, gray, n);
}
