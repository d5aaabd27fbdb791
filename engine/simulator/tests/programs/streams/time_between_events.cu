// about: The time between two events is there once the second has been reached.
// input in: i32[64] = i
// output out: i32[64] = i
// finding: none

#include "workbook.cuh"

__global__ void copy(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

void run(const int* in, int* out) {
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    copy<<<2, 32>>>(in, out);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float milliseconds = -1;
    cudaEventElapsedTime(&milliseconds, start, stop);
    if (!(milliseconds >= 0 && milliseconds < 1000)) cudaMemset(out, 0, 64 * sizeof(int));
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
}
