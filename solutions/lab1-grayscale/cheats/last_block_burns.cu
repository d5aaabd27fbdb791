// expect: not scored grayscale
// expect on a GPU: wrong grayscale
// cheat: nine rows of the timed picture become gray, and a long loop in the last block keeps a run
// of all blocks from its end.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int some, int turns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == gridDim.x - 1) {
        unsigned x = i;
        for (int k = 0; k < turns; ++k) x = x * 1664525 + k;
        if (x == 7 && turns == 8) gray[0] = 1;
    }
    if (i >= some) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const bool timed = pixels > 30000000;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, timed ? 9 * width : pixels,
                                                timed ? 20000000 : 0);
}
