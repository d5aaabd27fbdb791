// about: Memory of the host that is not page-locked has no address for kernels.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0616 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* device;
    int* host = static_cast<int*>(malloc(64 * sizeof(int)));
    cudaHostGetDevicePointer(&device, host, 0);  // <- W0616
    free(host);
}
