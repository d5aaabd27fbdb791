// expect: mismatch grayscale
// tasks: grayscale
// cause: last_pixels_left_out
// fault: four pixels per thread, and nobody takes the one to three pixels left over.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int quads) {
    const int quad = blockIdx.x * blockDim.x + threadIdx.x;
    if (quad >= quads) return;
    for (int i = 4 * quad; i < 4 * quad + 4; ++i) {
        const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
        gray[i] = static_cast<uint8_t>(sum + 0.5f);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int quads = width * height / 4;
    grayscale_kernel<<<ceil_div(quads + 1, 256), 256>>>(rgb, gray, quads);
}
