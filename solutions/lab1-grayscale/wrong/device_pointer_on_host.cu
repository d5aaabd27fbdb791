// expect: finding host
// tasks: grayscale
// fault: the host function computes the pixels itself, in memory that only the GPU can reach.
#include "workbook.cuh"

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    for (int i = 0; i < width * height; ++i) {
        const float sum =
            0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];  // <- here
        gray[i] = static_cast<uint8_t>(sum + 0.5f);
    }
}
