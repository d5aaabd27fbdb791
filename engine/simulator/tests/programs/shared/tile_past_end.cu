// about: The halo makes the tile two elements longer than it is declared.
// input in: i32[32] = i
// output out: i32[32] = any
// finding: W0106 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void blur(const int* in, int* out, int n) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    tile[i + 1] = in[i];  // <- W0106
    __syncthreads();
    out[i] = tile[i];
}

void run(const int* in, int* out) { blur<<<1, 32>>>(in, out, 32); }
