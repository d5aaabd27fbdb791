// about: The launch asks for fewer bytes of dynamic shared memory than the kernel uses.
// output out: i32[64] = any
// finding: W0106 error
// sanitizer: memcheck

#include "workbook.cuh"

extern __shared__ int buffer[];

__global__ void reverse(int* out) {
    const int i = threadIdx.x;
    buffer[i] = i;  // <- W0106
    __syncthreads();
    out[i] = buffer[63 - i];
}

void run(int* out) { reverse<<<1, 64, 64>>>(out); }
