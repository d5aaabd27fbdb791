// about: The host reads mapped memory while the kernel may still be writing it.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0620 error

#include "workbook.cuh"

__global__ void fill(int* to) { to[threadIdx.x] = threadIdx.x; }

void run(const int* in, int* out) {
    int *host, *device;
    cudaHostAlloc(&host, 64 * sizeof(int), cudaHostAllocMapped);
    cudaHostGetDevicePointer(&device, host, 0);
    fill<<<1, 64>>>(device);
    const int last = host[63];  // <- W0620
    cudaMemset(out, last, 64 * sizeof(int));
    cudaFreeHost(host);
}
