// family: rows
// Style: one thread a row, walking along it byte by byte, as a loop is first moved to a GPU.
// Limit: neighbouring lanes are a whole row apart (a sector a byte), and there are few threads.
#include "workbook.cuh"

__global__ void gray_rows(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    const uint8_t* in = rgb + 3 * row * width;
    uint8_t* out = gray + row * width;
    for (int x = 0; x < width; ++x) {
        out[x] = (30 * in[0] + 59 * in[1] + 11 * in[2] + 50) / 100;
        in += 3;
    }
}

__global__ void dark_rows(const uint8_t* planes, uint8_t* gray, int width, int height) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    const int plane = width * height;
    for (int x = 0; x < width; ++x) {
        const int i = row * width + x;
        const int hundredths = 30 * planes[i] + 59 * planes[i + plane] + 11 * planes[i + 2 * plane];
        gray[i] = (hundredths * 6 + 500) / 1000;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    gray_rows<<<ceil_div(height, 64), 64>>>(rgb, gray, width, height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    dark_rows<<<ceil_div(height, 64), 64>>>(planar_rgb, gray, width, height);
}
