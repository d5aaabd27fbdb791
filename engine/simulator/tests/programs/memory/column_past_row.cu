// about: A guard against the image's size, not its width: x runs into the next row, y past the last.
// input in: u8[60] = i
// output out: u8[60] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void copy(const uint8_t* in, uint8_t* out, int width, int height) {
    const int x = threadIdx.x, y = threadIdx.y;
    if (x < 16 && y < 8) {
        const uint8_t value = in[y * width + x];  // <- W0101
        out[y * width + x] = value;
    }
}

void run(const uint8_t* in, uint8_t* out) { copy<<<1, dim3(16, 8)>>>(in, out, 10, 6); }
