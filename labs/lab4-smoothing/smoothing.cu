// Lab 4: smoothing, and arbitrary 5x5 filters. The task sheet is README.md beside this file. Check
// your work with
//     checker lab4
#include "workbook.cuh"

// ---- Task 1: 5x5 box ---------------------------------------------------------------------------

// Runs once for every thread of a two-dimensional grid, which covers the image and usually more.
// Row y of an image begins at y * width.
__global__ void smooth_box_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                                  int width, int height) {
    // TODO: when all threads have returned, out holds for every pixel the mean of the pixels that
    // lie in the image and at most two columns and two rows away, itself included, rounded to the
    // nearest level, halves up; and no memory outside the buffers was accessed.
}

// Called once per image; gray and out are device memory. The launch is complete. You may change
// it.
void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_box_kernel<<<grid, block>>>(gray, out, width, height);
}

// ---- Task 2: 5x5 triangle ----------------------------------------------------------------------

__global__ void smooth_triangular_kernel(const uint8_t* __restrict__ gray,
                                         uint8_t* __restrict__ out, int width, int height) {
    // TODO: as above, but the neighbour dx columns and dy rows away has the weight
    // (3 - |dx|) * (3 - |dy|), and the sum is divided by the sum of the weights in the image.
}

// Called once per image; gray and out are device memory.
void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    // TODO: smooth_triangular_kernel has run for every pixel of an image of any width and height.
}

// ---- Task 3: any 5x5 filter on RGB -------------------------------------------------------------

__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  int divisor, int width, int height) {
    // TODO: for every pixel whose 5x5 neighbourhood lies in the image, and each of its three
    // channels, out holds the sum of filter25[5 * (dy + 2) + (dx + 2)] times the neighbour dx
    // columns and dy rows away, divided by divisor as C divides ints, clamped to 0..255. All other
    // pixels are copied from rgb.
}

// Called once per image; rgb and out are device memory, interleaved; filter25 is host memory: 25
// ints from -1000 to 1000. divisor is at least 1.
void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    // TODO: kernels can read the filter, and filter_rgb_kernel has run for every pixel.
}
