// about: A kernel's end orders all it did before all that the next kernel does.
// output out: i32[128] = (127 - i) * 2
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void first(int* scratch) { scratch[blockIdx.x * 64 + threadIdx.x] = blockIdx.x * 64 + threadIdx.x; }
__global__ void second(const int* scratch, int* out) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = 2 * scratch[127 - i];
}

void run(int* out) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 128 * sizeof(int));
    first<<<2, 64>>>(scratch);
    second<<<2, 64>>>(scratch, out);
    cudaFree(scratch);
}
