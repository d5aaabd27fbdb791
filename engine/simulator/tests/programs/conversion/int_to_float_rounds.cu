// about: Integers beyond 2^24 are rounded to the nearest float, ties to even.
// input in: i32[5] = {16777217; 16777219; -16777217; 2147483647; 16777218}
// output nearest: f32[5] = {16777216; 16777220; -16777216; 2147483648; 16777218}
// output zero: f32[5] = {16777216; 16777218; -16777216; 2147483520; 16777218}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const int* in, float* nearest, float* zero) {
    const int i = threadIdx.x;
    nearest[i] = (float)in[i];
    zero[i] = __int2float_rz(in[i]);
}

void run(const int* in, float* nearest, float* zero) { kernel<<<1, 5>>>(in, nearest, zero); }
