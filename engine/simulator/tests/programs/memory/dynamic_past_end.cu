// about: One element past a dynamic array beside a static flag.
// output out: i32[64] = any
// finding: W0106 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    extern __shared__ int tile[];
    __shared__ bool last;
    const int i = threadIdx.x;
    if (i == 0) last = true;
    tile[i + 1] = i;  // <- W0106
    __syncthreads();
    if (last) out[i] = tile[i + 1];
}

void run(int* out) { kernel<<<1, 64, 64 * sizeof(int)>>>(out); }
