// about: A branch that depends on memory nobody wrote.
// output out: zeroed i32[32] = any
// finding: initialisation error
// sanitizer: initcheck

#include "workbook.cuh"

__global__ void choose(const int* scratch, int* out) {
    int calls = 0;
    if (scratch[threadIdx.x] > 0) {  // <- initialisation
        calls = atomicAdd(out, 1);
    }
    out[threadIdx.x] = calls;
}

void run(int* out) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 32 * sizeof(int));
    choose<<<1, 32>>>(scratch, out);
    cudaFree(scratch);
}
