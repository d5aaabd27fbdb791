// about: A number of which only the lowest byte is set, in a sum.
// output out: i32[32] = any
// finding: W0204 error

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    reinterpret_cast<unsigned char*>(tile)[4 * i] = i;
    __syncthreads();
    out[i] = tile[i] + 1;  // <- W0204
}

void run(int* out) { kernel<<<1, 32>>>(out); }
