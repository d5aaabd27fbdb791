// about: A buffer is page-locked a second time.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0621 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaHostRegister(host, 64 * sizeof(int), cudaHostRegisterDefault);  // <- W0621
    cudaFreeHost(host);
}
