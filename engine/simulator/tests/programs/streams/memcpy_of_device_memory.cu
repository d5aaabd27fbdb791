// about: The C library is given memory of the GPU.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0611 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int host[64];
    memcpy(host, in, sizeof(host));  // <- W0611
    cudaMemcpy(out, host, sizeof(host), cudaMemcpyHostToDevice);
}
