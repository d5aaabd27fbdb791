// family: lookup tables
// style: bad on purpose: a student replaces multiplications by tables in constant memory
// expected bottleneck: constant cache: the lanes of a warp read different addresses, one after the other
#include "workbook.cuh"

__constant__ float by_level[3][256];

static void upload(float scale) {
    float table[3][256];
    for (int v = 0; v < 256; v++) {
        table[0][v] = 0.3f * v * scale;
        table[1][v] = 0.59f * v * scale;
        table[2][v] = 0.11f * v * scale;
    }
    WORKBOOK_CHECK(cudaMemcpyToSymbol(by_level, table, sizeof table));
}

__global__ void lookup(const uint8_t* red, const uint8_t* green, const uint8_t* blue, int step,
                       uint8_t* gray, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        size_t at = (size_t)i * step;
        float sum = by_level[0][red[at]] + by_level[1][green[at]] + by_level[2][blue[at]];
        gray[i] = (uint8_t)(sum + 0.5f);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    upload(1.0f);
    lookup<<<ceil_div(n, 512), 512>>>(rgb, rgb + 1, rgb + 2, 3, gray, n);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    upload(0.6f);
    lookup<<<ceil_div(n, 512), 512>>>(planar_rgb, planar_rgb + n, planar_rgb + 2 * (size_t)n, 1,
                                      gray, n);
}
