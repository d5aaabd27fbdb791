// Lab 2: counting gray levels. The task sheet is README.md beside this file. Check your work with
//     checker lab2
#include "workbook.cuh"

// ---- Task 1: histogram --------------------------------------------------------------------------

// Runs once for every thread of the grid, which has at least as many threads as there are pixels,
// usually more. Pixel i has the level gray[i], from 0 to 255.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    // TODO: when all threads have returned, bins[v] has grown by the number of pixels i, from 0 to
    // pixels - 1, with gray[i] == v, for every v; and no memory outside the buffers was accessed.
    // Threads run at the same time: no count may be lost when two of them add to the same bin.
}

// Called once per image; gray and bins are device memory, bins holds 256 zeros. The launch is
// complete. You may change it.
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    constexpr int block_size = 256;
    histogram_kernel<<<ceil_div(pixels, block_size), block_size>>>(gray, bins, pixels);
}

// ---- Task 2: gray and its histogram, in one pass ------------------------------------------------

// The red, green and blue of pixel i are rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2].
__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    // TODO: gray[i] holds (30 R + 59 G + 11 B + 50) / 100 of pixel i, in integer arithmetic, and
    // bins holds the histogram of gray, as above. The image is read once.
}

// Called once per image; rgb, gray and bins are device memory, bins holds 256 zeros.
void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    // TODO: gray_histogram_kernel has run for every pixel of an image of any width and height.
}
