// about: A named barrier that counts two warps, in a block of four: it opens for any two of them.
// output out: i32[128] = any
// finding: W0409 error
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = i;
    asm volatile("bar.sync 1, 64;" ::: "memory");  // <- W0409
    out[i] = tile[i];
}

void run(int* out) { kernel<<<1, 128>>>(out); }
