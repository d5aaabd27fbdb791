// about: Hints about managed memory are taken, and those about other memory refused.
// input in: i32[64] = i
// output out: i32[64] = 1
// finding: W0612 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* managed;
    cudaMallocManaged(&managed, 64 * sizeof(int));
    const bool taken = cudaMemPrefetchAsync(managed, 64 * sizeof(int), 0) == cudaSuccess;
    const bool refused = cudaMemPrefetchAsync(out, 64 * sizeof(int), 0) != cudaSuccess;  // <- W0612
    for (int i = 0; i < 64; ++i) managed[i] = taken && refused;
    cudaMemcpy(out, managed, 64 * sizeof(int), cudaMemcpyDefault);
    cudaFree(managed);
}
