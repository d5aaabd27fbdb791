// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: the host copies registered memory that the kernel may still be writing.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint8_t* mine = static_cast<uint8_t*>(malloc(2 * pixels));
    uint8_t* seen;
    WORKBOOK_CHECK(cudaHostRegister(mine, 2 * pixels, cudaHostRegisterMapped));
    WORKBOOK_CHECK(cudaHostGetDevicePointer(&seen, mine, 0));
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, seen, pixels);
    memcpy(mine + pixels, mine, pixels);  // <- here
    WORKBOOK_CHECK(cudaMemcpy(gray, mine + pixels, pixels, cudaMemcpyHostToDevice));
    WORKBOOK_CHECK(cudaHostUnregister(mine));
    free(mine);
}
