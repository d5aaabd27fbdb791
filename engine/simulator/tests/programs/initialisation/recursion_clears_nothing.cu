// about: A value that nothing wrote waits in a register while the same function runs again, and is used after.
// output out: i32[32] = any
// finding: W0204 error

#include "workbook.cuh"

// The inner calls hold defined values in the same register.
__device__ __noinline__ int sum(const int* values, int n) {
    const int value = values[n];  // <- with W0204
    return n == 0 ? value : sum(values, n - 1) % 100 + value;
}

__global__ void kernel(const int* values, int* out) {
    const int total = sum(values, 3);
    out[threadIdx.x] = total;  // <- W0204
}

void run(int* out) {
    int* values;
    cudaMalloc(&values, 4 * sizeof(int));
    cudaMemset(values, 0, 3 * sizeof(int));
    kernel<<<1, 32>>>(values, out);
    cudaFree(values);
}
