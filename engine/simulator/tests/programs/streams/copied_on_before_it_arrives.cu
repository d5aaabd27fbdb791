// about: memcpy reads page-locked memory while the copy to it may still run.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0620 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    int mine[64];
    cudaMemcpyAsync(host, in, 64 * sizeof(int), cudaMemcpyDeviceToHost);  // <- with W0620
    memcpy(mine, host, sizeof(mine));  // <- W0620
    cudaMemcpy(out, mine, sizeof(mine), cudaMemcpyHostToDevice);
    cudaFreeHost(host);
}
