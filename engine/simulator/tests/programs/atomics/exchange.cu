// about: Of all values put into one box by exchange, each comes out once but the last.
// output out: zeroed u32[2] = {sum(k, 1, 33, k); 0}
// finding: none

#include "workbook.cuh"

__global__ void exchange(unsigned* out) {
    __shared__ unsigned box, total;
    const unsigned i = threadIdx.x;
    if (i == 0) box = 0, total = 0;
    __syncthreads();
    const unsigned old = atomicExch(&box, i + 1);
    atomicAdd(&total, old);
    __syncthreads();
    if (i == 0) out[0] = total + box;
}

void run(unsigned* out) { exchange<<<1, 32>>>(out); }
