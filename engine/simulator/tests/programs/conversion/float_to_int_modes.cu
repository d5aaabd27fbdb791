// about: To an integer: to zero, to nearest even, down, up.
// input in: f32[6] = {2.5; -2.5; 3.5; 0.49; -0.51; 1e6}
// output zero: i32[6] = {2; -2; 3; 0; 0; 1000000}
// output nearest: i32[6] = {2; -2; 4; 0; -1; 1000000}
// output down: i32[6] = {2; -3; 3; 0; -1; 1000000}
// output up: i32[6] = {3; -2; 4; 1; 0; 1000000}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* in, int* zero, int* nearest, int* down, int* up) {
    const int i = threadIdx.x;
    zero[i] = __float2int_rz(in[i]);
    nearest[i] = __float2int_rn(in[i]);
    down[i] = __float2int_rd(in[i]);
    up[i] = __float2int_ru(in[i]);
}

void run(const float* in, int* zero, int* nearest, int* down, int* up) {
    kernel<<<1, 6>>>(in, zero, nearest, down, up);
}
