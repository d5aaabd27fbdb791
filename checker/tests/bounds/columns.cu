// expect: passed
// each colour into a plane of its own, with one strided copy per colour.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = static_cast<uint8_t>(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint8_t* planes;
    WORKBOOK_CHECK(cudaMalloc(&planes, 3 * static_cast<size_t>(pixels)));
    for (int colour = 0; colour < 3; colour++) {
        WORKBOOK_CHECK(cudaMemcpy2D(planes + static_cast<size_t>(colour) * pixels, 1, rgb + colour, 3, 1, pixels,
                                    cudaMemcpyDeviceToDevice));
    }
    WORKBOOK_CHECK(cudaFree(planes));
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
