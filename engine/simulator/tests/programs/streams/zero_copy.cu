// about: Kernels cannot read host memory in place.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0616 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    int* device;
    cudaHostGetDevicePointer(&device, host, 0);  // <- W0616
    cudaFreeHost(host);
}
