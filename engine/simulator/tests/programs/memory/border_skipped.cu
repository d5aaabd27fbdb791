// about: A 3 x 3 sum over the neighbours that exist, tested one by one.
// input in: u8[63] = i
// output out: u32[63] = sum(y, max(i / 9 - 1, 0), min(i / 9 + 2, 7),
//   sum(x, max(i % 9 - 1, 0), min(i % 9 + 2, 9), in[y * 9 + x]))
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void box(const uint8_t* in, uint32_t* out, int width, int height) {
    const int x = threadIdx.x, y = threadIdx.y;
    if (x >= width || y >= height) return;
    uint32_t sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                sum += in[(y + dy) * width + x + dx];
    out[y * width + x] = sum;
}

void run(const uint8_t* in, uint32_t* out) { box<<<1, dim3(16, 16)>>>(in, out, 9, 7); }
