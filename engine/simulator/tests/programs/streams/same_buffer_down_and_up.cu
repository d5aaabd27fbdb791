// about: A stream copies down to page-locked memory and up from it again; the host need not wait.
// input in: i32[64] = i
// output out: i32[64] = i * 2
// finding: none

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(host, in, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(out, host, 64 * sizeof(int), cudaMemcpyHostToDevice, stream);
    twice<<<2, 32, 0, stream>>>(out);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
}
