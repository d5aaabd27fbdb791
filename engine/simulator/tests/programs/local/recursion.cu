// about: Recursion needs a stack of real frames.
// output out: i32[13] = {0; 1; 1; 2; 3; 5; 8; 13; 21; 34; 55; 89; 144}
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void all(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }

void run(int* out) { all<<<1, 13>>>(out); }
