// expect: not scored pipeline
// expect on a GPU: wrong pipeline
// cheat: the host function computes everything itself, every window anew: 400 instructions per
// pixel.
#include "workbook.cuh"
#include <vector>

void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height;
    std::vector<uint8_t> gray(pixels);
    unsigned counts[256] = {};
    for (int i = 0; i < pixels; ++i) {
        const uint8_t* pixel = host_rgb + 3 * i;
        gray[i] = (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
        ++counts[gray[i]];
    }
    const unsigned least = (pixels + 1023) / 1024;
    int low = 0, high = 255;
    while (counts[low] < least) ++low;
    while (counts[high] < least) --high;
    const int span = high - low;
    for (int i = 0; i < pixels && span > 0; ++i) {
        const int level = gray[i] < low ? low : gray[i] > high ? high : gray[i];
        gray[i] = (255 * (level - low) + span / 2) / span;
    }
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            int sum = 0, count = 0;
            for (int row = max(y - 2, 0); row <= min(y + 2, height - 1); ++row) {
                for (int column = max(x - 2, 0); column <= min(x + 2, width - 1); ++column) {
                    sum += gray[row * width + column];
                    ++count;
                }
            }
            host_out[y * width + x] = (sum + count / 2) / count;
        }
    }
}
