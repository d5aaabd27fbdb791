// about: Page-locked memory that is not mapped has no address for kernels here.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0616 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int *host, *device;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaHostGetDevicePointer(&device, host, 0);  // <- W0616
    cudaFreeHost(host);
}
