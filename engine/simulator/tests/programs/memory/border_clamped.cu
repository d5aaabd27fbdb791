// about: A box filter of three pixels that clamps its neighbours to the row.
// input in: u8[50] = i * 37 % 251
// output out: u8[50] = (in[max(i - 1, 0)] + in[i] + in[min(i + 1, 49)]) / 3
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void box(const uint8_t* in, uint8_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int sum = in[max(i - 1, 0)] + in[i] + in[min(i + 1, n - 1)];
    out[i] = sum / 3;
}

void run(const uint8_t* in, uint8_t* out) { box<<<2, 32>>>(in, out, 50); }
