// about: An index that comes out of memory nobody wrote.
// input in: i32[32] = i
// output out: i32[32] = any
// finding: initialisation error
// gpu: skip it may crash, and may not

#include "workbook.cuh"

__global__ void gather(const int* in, const int* indices, int* out) {
    out[threadIdx.x] = in[indices[threadIdx.x] & 31];  // <- initialisation
}

void run(const int* in, int* out) {
    int* indices = nullptr;
    cudaMalloc(&indices, 32 * sizeof(int));
    gather<<<1, 32>>>(in, indices, out);
    cudaFree(indices);
}
