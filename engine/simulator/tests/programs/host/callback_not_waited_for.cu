// about: What a function in a stream computes is used before the host has waited for it.
// output out: i32[1] = 0
// finding: none

#include "workbook.cuh"

__global__ void set(int* value, int to) { *value = to; }

void seven(void* data) { *static_cast<int*>(data) = 7; }

void run(int* out) {
    int result = 0;
    cudaLaunchHostFunc(0, seven, &result);
    set<<<1, 1>>>(out, result);
    cudaDeviceSynchronize();
    if (result != 7) set<<<1, 1>>>(out, -1);
}
