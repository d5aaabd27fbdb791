// about: The smaller of a number and not-a-number is the number.
// input a: f32[4] = {nan; 1; nan; -0.0}
// input b: f32[4] = {2; nan; nan; 0.0}
// output low: f32[4] = {2; 1; nan; -0.0}
// output high: f32[4] = {2; 1; nan; 0.0}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* a, const float* b, float* low, float* high) {
    const int i = threadIdx.x;
    low[i] = fminf(a[i], b[i]);
    high[i] = fmaxf(a[i], b[i]);
}

void run(const float* a, const float* b, float* low, float* high) { kernel<<<1, 4>>>(a, b, low, high); }
