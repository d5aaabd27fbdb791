// expect: not scored pipeline
// expect on a GPU: wrong pipeline
// cheat: a kernel that does nothing beside a loop of the host function.
#include "workbook.cuh"

void on_the_host(const uint8_t* rgb, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint8_t* gray = static_cast<uint8_t*>(malloc(pixels));
    unsigned counts[256] = {};
    for (int i = 0; i < pixels; ++i) {
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        ++counts[gray[i]];
    }
    int low = 0, high = 255;
    while (1024ull * counts[low] < pixels) ++low;
    while (1024ull * counts[high] < pixels) --high;
    const int span = high - low;
    for (int i = 0; i < pixels && span > 0; ++i) {
        const int level = gray[i] < low ? low : gray[i] > high ? high : gray[i];
        gray[i] = (510 * (level - low) + span) / (2 * span);
    }
    unsigned* columns = static_cast<unsigned*>(malloc(width * sizeof(unsigned)));
    for (int x = 0; x < width; ++x) columns[x] = 0;
    for (int y = -2; y < height; ++y) {
        const int next = y + 2, past = y - 3;
        for (int x = 0; x < width; ++x) {
            if (next < height) columns[x] += gray[next * width + x];
            if (past >= 0) columns[x] -= gray[past * width + x];
        }
        if (y < 0) continue;
        const int rows = min(y + 2, height - 1) - max(y - 2, 0) + 1;
        unsigned sum = 0;
        for (int x = -2; x < width; ++x) {
            if (x + 2 < width) sum += columns[x + 2];
            if (x - 3 >= 0) sum -= columns[x - 3];
            const int count = rows * (min(x + 2, width - 1) - max(x - 2, 0) + 1);
            if (x >= 0) out[y * width + x] = (2 * sum + count) / (2 * count);
        }
    }
    free(columns);
    free(gray);
}

__global__ void nothing_kernel() {}

void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    nothing_kernel<<<1, 32>>>();
    on_the_host(host_rgb, host_out, width, height);
    cudaDeviceSynchronize();
}
