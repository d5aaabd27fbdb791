// Lab 5: a whole pipeline, from host memory to host memory. The task sheet is README.md beside this
// file. Check your work with
//     checker lab5
#include "workbook.cuh"

// Your kernels of labs 1 to 4 go here: gray, histogram, stretch, smoothing.

// Runs once for every pixel, and usually for a few threads more.
__global__ void gray_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                            int pixels) {
    // TODO: gray[i] is (30 R + 59 G + 11 B + 50) / 100 of pixel i, for every i below pixels.
}

// Called once per image. host_rgb and host_out are HOST memory: 3 * width * height bytes to read,
// width * height bytes to fill. No kernel can access them.
void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height;
    uint8_t *rgb, *gray;
    cudaMalloc(&rgb, 3 * pixels);
    cudaMalloc(&gray, pixels);

    // TODO: rgb holds the image.

    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);

    // TODO: low and high are the lowest and the highest level that at least ceil_div(pixels, 1024)
    // pixels have; the gray image is stretched from low to high, and then smoothed; host_out holds
    // the result when this function returns.

    cudaFree(rgb);
    cudaFree(gray);
}
