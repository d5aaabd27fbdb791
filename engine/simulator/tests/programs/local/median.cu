// about: A median of nine by sorting a local array.
// input in: u8[64] = i * 89 % 256
// output out: u8[56] = smallest(c, 0, 9, sum(k, 0, 9, in[i + k] <= in[i + c]) >= 5 ? in[i + c] : 255)
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void median(const uint8_t* in, uint8_t* out) {
    const int i = threadIdx.x;
    uint8_t v[9];
    for (int k = 0; k < 9; ++k) v[k] = in[i + k];
    for (int a = 1; a < 9; ++a) {
        const uint8_t moved = v[a];
        int b = a;
        for (; b > 0 && v[b - 1] > moved; --b) v[b] = v[b - 1];
        v[b] = moved;
    }
    out[i] = v[4];
}

void run(const uint8_t* in, uint8_t* out) { median<<<1, 56>>>(in, out); }
