// about: Mapped memory: the host fills it, a kernel uses it in place, and the host reads the result.
// input in: i32[64] = i
// output out: i32[64] = i * 3 + 1
// finding: none

#include "workbook.cuh"

__global__ void triple(const int* from, int* to) { to[threadIdx.x] = 3 * from[threadIdx.x]; }

void run(const int* in, int* out) {
    int *host, *device;
    cudaHostAlloc(&host, 128 * sizeof(int), cudaHostAllocMapped);
    cudaHostGetDevicePointer(&device, host, 0);
    for (int i = 0; i < 64; ++i) host[i] = i;
    triple<<<1, 64>>>(device, device + 64);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) host[64 + i] += 1;
    cudaMemcpy(out, host + 64, 64 * sizeof(int), cudaMemcpyHostToDevice);
    cudaFreeHost(host);
}
