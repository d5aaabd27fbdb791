// about: The function ends while a copy to page-locked memory may still run.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0620 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaMemcpy(out, in, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaMemcpyAsync(host, in, 64 * sizeof(int), cudaMemcpyDeviceToHost);  // <- W0620
}
