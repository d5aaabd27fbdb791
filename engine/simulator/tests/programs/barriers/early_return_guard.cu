// about: The guard returns before the barrier, so the last warp's other half waits without it.
// input in: i32[40] = i
// output out: i32[40] = any
// finding: W0403 warning
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (i >= n) return;
    tile[i] = in[i];
    __syncthreads();  // <- W0403
    out[i] = tile[n - 1 - i];
}

void run(const int* in, int* out) { reverse<<<1, 64>>>(in, out, 40); }
