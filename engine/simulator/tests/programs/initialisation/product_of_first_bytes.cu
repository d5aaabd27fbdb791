// about: A number of which only the lower half is set, in a product.
// output out: u32[32] = any
// finding: W0204 error

#include "workbook.cuh"

__global__ void kernel(unsigned* out) {
    __shared__ unsigned tile[32];
    const int i = threadIdx.x;
    reinterpret_cast<unsigned short*>(tile)[2 * i] = i;
    __syncthreads();
    out[i] = tile[i] * 3;  // <- W0204
}

void run(unsigned* out) { kernel<<<1, 32>>>(out); }
