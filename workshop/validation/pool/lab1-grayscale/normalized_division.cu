// family: integer division
// Style: levels become fractions of one by a true division each; place by division and modulo.
// Limit: instructions: correctly rounded float divisions and an integer division by the width.
#include "workbook.cuh"

__device__ float fraction(uint8_t level, float white) { return level / white; }

__global__ void gray_fractions(const uint8_t* rgb, uint8_t* gray, int width, int height,
                               float white) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = thread / width, x = thread % width;
    if (y >= height) return;
    const uint8_t* p = rgb + 3 * (y * width + x);
    const float r = fraction(p[0], white), g = fraction(p[1], white), b = fraction(p[2], white);
    const float level = (30.0f * r + 59.0f * g + 11.0f * b) / (30.0f + 59.0f + 11.0f);
    gray[y * width + x] = (uint8_t)(level * white + 0.5f);
}

__global__ void dark_fractions(const uint8_t* planes, uint8_t* gray, int width, int height,
                               float white) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = thread / width, x = thread % width;
    if (y >= height) return;
    const int i = y * width + x, plane = width * height;
    const float r = fraction(planes[i], white), g = fraction(planes[i + plane], white);
    const float b = fraction(planes[i + 2 * plane], white);
    // The root of a square: what is left of a gamma correction with exponent one.
    const float level = 0.3f * r + 0.59f * g + 0.11f * b;
    gray[i] = (uint8_t)(sqrtf(level * level) * 0.6f * white + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int blocks = ceil_div(width * height, 256);
    gray_fractions<<<blocks, 256>>>(rgb, gray, width, height, 255.0f);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int blocks = ceil_div(width * height, 256);
    dark_fractions<<<blocks, 256>>>(planar_rgb, gray, width, height, 255.0f);
}
