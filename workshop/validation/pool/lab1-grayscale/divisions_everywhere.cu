// family: integer division
// style: index arithmetic as in a spreadsheet: 64-bit coordinates by / and %, a division by a number known at run time
// expected bottleneck: instructions: three 64-bit divisions per pixel
#include "workbook.cuh"

__global__ void gray_div(const uint8_t* in, uint8_t* out, long long width, long long height,
                         int hundred, int planar) {
    long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long total = width * height;
    if (index >= total) return;
    long long x = index % width;
    long long y = index / width;
    int weights[3] = {30, 59, 11};
    int sum = 0;
    for (int c = 0; c < 3; c++) {
        long long at = planar ? (c * height + y) * width + x : (y * width + x) * 3 + c;
        sum += weights[c] * in[at];
    }
    if (planar)
        out[y * width + x] = (sum * 6 + 5 * hundred) / (10 * hundred);
    else
        out[y * width + x] = (sum + hundred / 2) / hundred;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    long long pixels = (long long)width * height;
    gray_div<<<(unsigned)((pixels + 511) / 512), 512>>>(rgb, gray, width, height, 100, 0);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    long long pixels = (long long)width * height;
    gray_div<<<(unsigned)((pixels + 511) / 512), 512>>>(planar_rgb, gray, width, height, 100, 1);
}
