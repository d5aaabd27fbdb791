// about: The host reads managed memory while a kernel may still write it.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0620 error

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    int* managed;
    cudaMallocManaged(&managed, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) managed[i] = i;
    twice<<<2, 32>>>(managed);  // <- with W0620
    const int first = managed[0];  // <- W0620
    cudaMemset(out, first, 64 * sizeof(int));
    cudaFree(managed);
}
