// family: columns
// Style: one thread a column, going down the image with a pointer that steps by a row.
// Limit: the accesses are side by side, but a wide image has only thousands of threads: latency.
#include "workbook.cuh"

struct Color {
    unsigned char r, g, b;
};

__device__ unsigned char luminance(Color c) {
    return (unsigned char)fminf(rintf(0.3f * c.r + 0.59f * c.g + 0.11f * c.b), 255.0f);
}

__global__ void gray_columns(const Color* image, unsigned char* result, int width, int height) {
    int column = threadIdx.x + blockIdx.x * blockDim.x;
    if (column < width) {
        const Color* p = image + column;
        unsigned char* q = result + column;
        for (int y = 0; y < height; y++, p += width, q += width) *q = luminance(*p);
    }
}

__global__ void dark_columns(const unsigned char* r, const unsigned char* g, const unsigned char* b,
                             unsigned char* result, int width, int height) {
    int column = threadIdx.x + blockIdx.x * blockDim.x;
    if (column < width) {
        for (int y = 0; y < height; y++) {
            int i = y * width + column;
            float level = 0.3f * r[i] + 0.59f * g[i] + 0.11f * b[i];
            result[i] = (unsigned char)(level * 0.6f + 0.5f);
        }
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    gray_columns<<<(width + 127) / 128, 128>>>((const Color*)rgb, gray, width, height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    dark_columns<<<(width + 127) / 128, 128>>>(planar_rgb, planar_rgb + n, planar_rgb + 2 * n, gray,
                                               width, height);
}
