// Lab 6: edges, by the Sobel filter. The task sheet is README.md beside this file. Check your work
// with
//     checker lab6
#include "workbook.cuh"

// Runs once for every thread of a two-dimensional grid, which covers the image and usually more.
// Row y of an image begins at y * width.
__global__ void sobel_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                             int height) {
    // TODO: when all threads have returned, out holds min(|gx| + |gy|, 255) for every pixel, where
    //     gx = (c + 2 f + i) - (a + 2 d + g)        a b c
    //     gy = (g + 2 h + i) - (a + 2 b + c)        d e f    is the neighbourhood of the pixel e,
    //                                               g h i
    // and a neighbour outside the image has the value of the nearest pixel inside; and no memory
    // outside the buffers was accessed.
}

// Called once per image; gray and out are device memory. The launch is complete. You may change
// it.
void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    sobel_kernel<<<grid, block>>>(gray, out, width, height);
}
