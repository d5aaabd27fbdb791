// about: A fused multiply-add keeps the product's low bits, which two roundings lose.
// input a: f32[1] = 1.000244140625
// output fused: f32[1] = a[0] * a[0] - 1.00048828125
// output separate: f32[1] = 0
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* a, float* fused, float* separate) {
    const float x = a[0];
    *fused = fmaf(x, x, -1.00048828125f);
    *separate = __fadd_rn(__fmul_rn(x, x), -1.00048828125f);
}

void run(const float* a, float* fused, float* separate) { kernel<<<1, 1>>>(a, fused, separate); }
