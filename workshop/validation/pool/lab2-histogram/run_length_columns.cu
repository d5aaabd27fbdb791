// family: columns
// Style: one thread a column that counts a run of equal levels and adds it when the level changes.
// Limit: few threads, each with a long chain of loads; atomics on global memory at each change.
#include "workbook.cuh"

__device__ void next_pixel(int level, int& last, uint32_t& run, uint32_t* bins) {
    if (level == last) {
        ++run;
    } else {
        if (run > 0) atomicAdd(bins + last, run);
        last = level;
        run = 1;
    }
}

__global__ void count_columns(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    int last = 0;
    uint32_t run = 0;
    for (int y = 0; y < height; ++y) next_pixel(gray[y * width + x], last, run, bins);
    atomicAdd(bins + last, run);
}

__global__ void gray_and_count_columns(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width,
                                       int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    int last = 0;
    uint32_t run = 0;
    for (int y = 0; y < height; ++y) {
        const int i = y * width + x;
        const int level = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        gray[i] = level;
        next_pixel(level, last, run, bins);
    }
    atomicAdd(bins + last, run);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    count_columns<<<ceil_div(width, 64), 64>>>(gray, bins, width, height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    gray_and_count_columns<<<ceil_div(width, 64), 64>>>(rgb, gray, bins, width, height);
}
