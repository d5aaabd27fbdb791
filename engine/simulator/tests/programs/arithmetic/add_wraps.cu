// about: Integer sums and products wrap around modulo 2^32, signed ones too on the hardware.
// input a: u32[4] = {0xffffffff; 0x80000000; 0x7fffffff; 123456789}
// input b: u32[4] = {1; 0x80000000; 2; 987654321}
// output out: u32[12] = i < 4 ? u32(a[i] + b[i]) : i < 8 ? u32(a[i - 4] - b[i - 4]) : u32(a[i - 8] * b[i - 8])
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* a, const unsigned* b, unsigned* out) {
    const int i = threadIdx.x;
    out[i] = a[i] + b[i];
    out[4 + i] = a[i] - b[i];
    out[8 + i] = a[i] * b[i];
}

void run(const unsigned* a, const unsigned* b, unsigned* out) { kernel<<<1, 4>>>(a, b, out); }
