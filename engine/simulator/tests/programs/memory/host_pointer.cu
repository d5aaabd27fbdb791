// about: A kernel is given a pointer to an array of the host function.
// output out: i32[4] = any
// finding: W0105 error
// gpu: skip some systems let a GPU read pageable host memory

#include "workbook.cuh"

__global__ void copy(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];
}

void run(int* out) {
    int host[4] = {1, 2, 3, 4};
    copy<<<1, 4>>>(host, out);  // <- W0105
    cudaDeviceSynchronize();
}
