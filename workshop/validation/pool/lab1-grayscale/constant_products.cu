// family: constant memory
// style: OpenCV of 2008: the products of all levels with the weights lie in constant tables, in 14-bit fixed point
// expected bottleneck: constant cache: lanes ask for different entries, one after another
#include "workbook.cuh"

#define SHIFT 14
__constant__ int table[3 * 256];

__global__ void bgr2gray(const uint8_t* src, uint8_t* dst, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    src += 3 * i;
    dst[i] = (table[src[0]] + table[src[1] + 256] + table[src[2] + 512]) >> SHIFT;
}

__global__ void planes2dark(const uint8_t* src, uint8_t* dst, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    dst[i] = (table[src[i]] + table[src[pixels + i] + 256] +
              table[src[2 * pixels + i] + 512]) >> SHIFT;
}

static void fill(double scale) {
    int host[3 * 256];
    const double weights[3] = {0.3 * scale, 0.59 * scale, 0.11 * scale};
    for (int c = 0; c < 3; c++)
        for (int v = 0; v < 256; v++)
            host[c * 256 + v] = (int)(weights[c] * v * (1 << SHIFT) + 0.5) +
                (c == 0 ? 1 << (SHIFT - 1) : 0);
    WORKBOOK_CHECK(cudaMemcpyToSymbol(table, host, sizeof(host)));
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    fill(1.0);
    bgr2gray<<<ceil_div(width * height, 192), 192>>>(rgb, gray, width * height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    fill(0.6);
    planes2dark<<<ceil_div(width * height, 192), 192>>>(planar_rgb, gray, width * height);
}
