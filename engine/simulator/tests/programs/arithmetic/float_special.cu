// about: Infinities and not-a-number in sums, products, quotients.
// input a: f32[6] = {inf; inf; 0; 1; -1; 3.4e38}
// input b: f32[6] = {-inf; 0; 0; 0; 0; 10}
// output sum: f32[6] = {nan; inf; 0; 1; -1; 3.4e38}
// output product: f32[6] = {-inf; nan; 0; 0; -0.0; inf}
// output quotient: f32[6] = {nan; inf; nan; inf; -inf; 3.4e37}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* a, const float* b, float* sum, float* product, float* quotient) {
    const int i = threadIdx.x;
    sum[i] = a[i] + b[i];
    product[i] = a[i] * b[i];
    quotient[i] = a[i] / b[i];
}

void run(const float* a, const float* b, float* sum, float* product, float* quotient) {
    kernel<<<1, 6>>>(a, b, sum, product, quotient);
}
