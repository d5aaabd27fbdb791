// about: A function with a barrier, called once behind a branch that lanes of one warp take differently.
// output out: i32[32] = i < 16 ? 2 : 1
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__shared__ int tile[32];

__noinline__ __device__ int exchange(int value) {
    tile[threadIdx.x] = value;
    __syncthreads();
    return tile[31 - threadIdx.x];
}

__global__ void kernel(int* out) {
    int value;
    if (threadIdx.x < 16) {
        value = 1;
    } else {
        value = 2;
    }
    out[threadIdx.x] = exchange(value);
}

void run(int* out) { kernel<<<1, 32>>>(out); }
