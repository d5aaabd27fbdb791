// expect: at most 31 points smooth_box
// expect on a GPU: right smooth_box
// cheat: an argument that no thread uses falls where the picture grows, as if the work did.
#include "workbook.cuh"

__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height,
                              int unused) {
    const int pixels = width * height;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
        const int x = i % width, y = i / width;
        int sum = 0, count = 0;
        for (int dy = -2; dy <= 2; ++dy)
            for (int dx = -2; dx <= 2; ++dx) {
                const int column = x + dx, row = y + dy;
                if (column < 0 || column >= width || row < 0 || row >= height) continue;
                sum += gray[row * width + column];
                ++count;
            }
        out[i] = (2 * sum + count) / (2 * count);
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int unused = height > 2200 ? 74 : height;
    smooth_kernel<<<528, 256>>>(gray, out, width, height, unused);
}
