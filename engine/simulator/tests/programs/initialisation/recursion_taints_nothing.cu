// about: The innermost call loads a value that nothing wrote and does not use it: the outer calls' are their own.
// output out: i32[32] = 14
// finding: none

#include "workbook.cuh"

// What is loaded at 0 stays in the register that the outer calls hold theirs in.
__device__ __noinline__ int sum(const int* values, int n) {
    int value = values[n];
    asm volatile("" : "+r"(value));
    if (n == 0) return 8;
    const int below = sum(values, n - 1);
    return below % 100 + value;
}

__global__ void kernel(const int* values, int* out) { out[threadIdx.x] = sum(values, 3); }

__global__ void fill(int* values) { values[threadIdx.x + 1] = threadIdx.x + 1; }

void run(int* out) {
    int* values;
    cudaMalloc(&values, 4 * sizeof(int));
    fill<<<1, 3>>>(values);
    kernel<<<1, 32>>>(values, out);
    cudaFree(values);
}
