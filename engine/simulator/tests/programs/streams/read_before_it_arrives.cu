// about: The host reads page-locked memory while the copy to it may still run.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0620 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaMemcpyAsync(host, in, 64 * sizeof(int), cudaMemcpyDeviceToHost);  // <- with W0620
    const int first = host[0];  // <- W0620
    cudaMemset(out, first, 64 * sizeof(int));
    cudaFreeHost(host);
}
