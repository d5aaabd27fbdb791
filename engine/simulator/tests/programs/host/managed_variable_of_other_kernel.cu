// about: The host reads a __managed__ variable while a kernel runs that does not use it.
// output out: i32[1] = 3
// finding: none

#include "workbook.cuh"

__managed__ int value;

__global__ void kernel() { value = 3; }
__global__ void other(int* out) { out[0] = 0; }
__global__ void store(int* out, int sum) { out[0] = sum; }

void run(int* out) {
    kernel<<<1, 1>>>();
    cudaDeviceSynchronize();
    other<<<1, 1>>>(out);
    const int in_time = value;
    store<<<1, 1>>>(out, in_time);
}
