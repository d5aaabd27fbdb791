// about: The same bits compared as signed and as unsigned.
// input a: u32[2] = {0xffffffff; 5}
// input b: u32[2] = {1; 0x80000000}
// output out: u32[8] = {1; 5; 0xffffffff; 0x80000000; 0xffffffff; 0x80000000; 1; 5}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* a, const unsigned* b, unsigned* out) {
    const int i = threadIdx.x;
    out[i] = min(a[i], b[i]);
    out[2 + i] = max(a[i], b[i]);
    out[4 + i] = min((int)a[i], (int)b[i]);
    out[6 + i] = max((int)a[i], (int)b[i]);
}

void run(const unsigned* a, const unsigned* b, unsigned* out) { kernel<<<1, 2>>>(a, b, out); }
