// about: Divisions by constants become multiplications by their inverses.
// input a: u32[64] = u32(i * 0x9e3779b9 + 7)
// output out: u32[64] = a[i] / 3 + a[i] / 7 + a[i] % 10 + a[i] / 1000
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* a, unsigned* out) {
    const unsigned v = a[threadIdx.x];
    out[threadIdx.x] = v / 3 + v / 7 + v % 10 + v / 1000;
}

void run(const unsigned* a, unsigned* out) { kernel<<<1, 64>>>(a, out); }
