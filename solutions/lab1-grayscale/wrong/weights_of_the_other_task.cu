// expect: mismatch grayscale
// tasks: grayscale, grayscale_darken
// fault: the darkening stays in the constants, where the next call of grayscale finds it.
#include "workbook.cuh"

struct Weights {
    float red, green, blue;
};
__constant__ Weights weights = {0.3f, 0.59f, 0.11f};

__global__ void gray_kernel(const uint8_t* red, const uint8_t* green, const uint8_t* blue,
                            int step, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int at = i * step;
    gray[i] = weights.red * red[at] + weights.green * green[at] + weights.blue * blue[at] + 0.5f;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, rgb + 1, rgb + 2, 3, gray, pixels);
}

void grayscale_darken(const uint8_t* planes, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const Weights dark = {0.6f * 0.3f, 0.6f * 0.59f, 0.6f * 0.11f};
    cudaMemcpyToSymbol(weights, &dark, sizeof(dark));
    const uint8_t* green = planes + pixels;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(planes, green, green + pixels, 1, gray, pixels);
}
