// about: Memory of the host that is registered has no address for kernels here.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0616 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* device;
    int* host = static_cast<int*>(malloc(64 * sizeof(int)));
    cudaHostRegister(host, 64 * sizeof(int), cudaHostRegisterMapped);
    cudaHostGetDevicePointer(&device, host, 0);  // <- W0616
    cudaHostUnregister(host);
    free(host);
}
