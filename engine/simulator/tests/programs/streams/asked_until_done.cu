// about: The host asks again and again whether a stream is done, and works meanwhile.
// input in: i32[64] = i
// output out: i32[64] = 63 + 0 * i
// printed: waited
// finding: none

#include "workbook.cuh"
#include <stdio.h>

__global__ void fill(int* to, int value) { to[threadIdx.x] = value; }

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(host, in, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    int turns = 0;
    while (cudaStreamQuery(stream) == cudaErrorNotReady) ++turns;
    if (turns > 0 && cudaStreamQuery(stream) == cudaSuccess) printf("waited\n");
    fill<<<1, 64, 0, stream>>>(out, host[63]);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
}
