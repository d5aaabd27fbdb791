// about: Every comparison with not-a-number is false, but "not equal".
// input a: f32[3] = {nan; 1; 2}
// input b: f32[3] = {1; nan; 2}
// output out: u32[3] = {1 << 5; 1 << 5; 1 << 2 | 1 << 3 | 1 << 4}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* a, const float* b, unsigned* out) {
    const int i = threadIdx.x;
    const float x = a[i], y = b[i];
    out[i] = (x < y) | (x > y) << 1 | (x <= y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5;
}

void run(const float* a, const float* b, unsigned* out) { kernel<<<1, 3>>>(a, b, out); }
