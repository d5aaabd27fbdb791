// about: The same function called in each branch: the halves of the warp come to one barrier from two calls.
// output out: i32[32] = any
// finding: W0401 error
// gpu: skip it may hang

#include "workbook.cuh"

__shared__ int tile[32];

__noinline__ __device__ int exchange(int value) {
    tile[threadIdx.x] = value;
    __syncthreads();  // <- W0401
    return tile[31 - threadIdx.x];
}

__global__ void kernel(int* out) {
    if (threadIdx.x < 16) {
        out[threadIdx.x] = exchange(1);
    } else {
        out[threadIdx.x] = exchange(2) + 1;
    }
}

void run(int* out) { kernel<<<1, 32>>>(out); }
