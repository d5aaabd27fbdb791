// about: A buffer that is freed twice: the second call fails.
// output out: i32[1] = any
// finding: host error
// gpu: skip the finding is the host function's, and the same

#include "workbook.cuh"

__global__ void kernel(int* out) { *out = 1; }

void run(int* out) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 64);
    cudaFree(scratch);
    cudaFree(scratch);  // <- host
    kernel<<<1, 1>>>(out);
}
