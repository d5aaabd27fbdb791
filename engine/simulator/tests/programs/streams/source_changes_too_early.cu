// about: The host changes what an asynchronous copy may still be reading.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0620 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMemcpyAsync(out, host, 64 * sizeof(int), cudaMemcpyHostToDevice);  // <- W0620
    host[5] = 0;
    cudaDeviceSynchronize();
    cudaFreeHost(host);
}
