// Lab 1: colour to gray. The task sheet is README.md beside this file. Check your work with
//     checker lab1
#include "workbook.cuh"

// ---- Task 1: grayscale -------------------------------------------------------------------------

// Runs once for every thread of the grid, which has at least as many threads as there are pixels,
// usually more. The red, green and blue of pixel i are rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2].
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    // TODO: when all threads have returned, gray[i] holds 0.3 R + 0.59 G + 0.11 B of pixel i,
    // rounded to the nearest level, for every i from 0 to pixels - 1, and no memory outside the
    // buffers was accessed.
}

// Called once per image; rgb and gray are device memory. The launch is complete. You may change
// it.
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    constexpr int block_size = 256;
    grayscale_kernel<<<ceil_div(pixels, block_size), block_size>>>(rgb, gray, pixels);
}

// ---- Task 2: grayscale, darkened, from planes ---------------------------------------------------

// planar_rgb holds all reds, then all greens, then all blues, each width * height bytes.
__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int pixels) {
    // TODO: gray[i] holds (0.3 R + 0.59 G + 0.11 B) * 0.6 + 0.5 of pixel i, truncated.
}

// Called once per image; planar_rgb and gray are device memory.
void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    // TODO: grayscale_darken_kernel has run for every pixel of an image of any width and height.
}
