// about: The same with the work guarded and the barrier reached by all.
// input in: i32[40] = i
// output out: i32[40] = 39 - i
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (i < n) tile[i] = in[i];
    __syncthreads();
    if (i < n) out[i] = tile[n - 1 - i];
}

void run(const int* in, int* out) { reverse<<<1, 64>>>(in, out, 40); }
