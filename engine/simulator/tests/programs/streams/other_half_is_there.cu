// about: One half has arrived, as an event says, while the other may still be on its way.
// input in: i32[64] = i
// output out: i32[64] = i * 2
// finding: none

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaEvent_t half;
    cudaEventCreate(&half);
    cudaMemcpyAsync(host, in, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(half, stream);
    cudaMemcpyAsync(host + 32, in + 32, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaEventSynchronize(half);
    for (int i = 0; i < 32; ++i) host[i] *= 2;
    cudaStreamSynchronize(stream);
    for (int i = 32; i < 64; ++i) host[i] *= 2;
    cudaMemcpy(out, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
    cudaEventDestroy(half);
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
}
