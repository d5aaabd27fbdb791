// Lab 3: more contrast. The task sheet is README.md beside this file. Check your work with
//     checker lab3
#include "workbook.cuh"

constexpr int levels = 256;

// The histogram of lab 2, the first step of both tasks.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    // TODO: when all threads have returned, bins[v] has grown by the number of pixels i, from 0 to
    // pixels - 1, with gray[i] == v, for every v. You can use your own kernel of lab 2.
}

// ---- Task 1: contrast_stretch -------------------------------------------------------------------

// The lowest and the highest level that matter.
struct Range {
    int low, high;
};

// Runs on the host; counts is host memory: counts[v] pixels have the level v.
Range find_range(const uint32_t* counts, int pixels) {
    Range range = {0, levels - 1};
    // TODO: low is the lowest level, high the highest, whose count is at least pixels / 1024,
    // rounded up.
    return range;
}

__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               Range range, int pixels) {
    // TODO: for every pixel i, out[i] is (gray[i] - low) * 255 / (high - low), rounded; 0 for
    // levels below low and 255 for levels above high; gray[i] itself if low and high are equal.
}

// Called once per image; gray and out are device memory. It is complete. You may change it.
void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    constexpr int block_size = 256;

    uint32_t* bins;  // device memory
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, block_size), block_size>>>(gray, bins, pixels);

    uint32_t counts[levels];  // host memory
    cudaMemcpy(counts, bins, levels * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
    const Range range = find_range(counts, pixels);
    stretch_kernel<<<ceil_div(pixels, block_size), block_size>>>(gray, out, range, pixels);
}

// ---- Task 2: equalize ---------------------------------------------------------------------------

// Runs on the host; counts and table are host memory.
void make_table(const uint32_t* counts, int pixels, uint8_t* table) {
    // TODO: with cdf(v) pixels at level v or below, and min pixels at the lowest level that occurs,
    // table[v] is (cdf(v) - min) * 255 / (pixels - min), rounded, for every level v that occurs; v
    // itself if all pixels have one level.
}

// table is device memory.
__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ table, int pixels) {
    // TODO: out[i] is table[gray[i]] for every pixel i.
}

// Called once per image; gray and out are device memory.
void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    // TODO: map_kernel has run for every pixel, with the table that make_table computes from the
    // counts of the image; and all memory that was allocated here is free again.
}
