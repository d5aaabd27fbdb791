// about: Up, a kernel, down in one stream, by way of page-locked memory; the host waits.
// input in: i32[64] = i
// output out: i32[64] = i * 2
// finding: none

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    int* device;
    cudaMalloc(&device, 64 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMemcpyAsync(device, host, 64 * sizeof(int), cudaMemcpyHostToDevice, stream);
    twice<<<2, 32, 0, stream>>>(device);
    cudaMemcpyAsync(host, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    int wrong = 0;
    for (int i = 0; i < 64; ++i) wrong += host[i] != 2 * i;
    if (wrong == 0) cudaMemcpy(out, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
    cudaStreamDestroy(stream);
    cudaFree(device);
    cudaFreeHost(host);
}
