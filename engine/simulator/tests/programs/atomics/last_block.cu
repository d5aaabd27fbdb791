// about: The last block to finish, found by a counter behind a fence, adds up what all left.
// output partial: i32[8] = 64 * 64 * i + 63 * 32
// output out: zeroed i32[2] = {512 * 511 / 2; 8}
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__device__ int sum_of_block(int value) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, value);
    __syncthreads();
    return total;
}

__global__ void sum(int* partial, int* out) {
    __shared__ bool last;
    const int mine = sum_of_block(blockIdx.x * blockDim.x + threadIdx.x);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();
        last = atomicAdd(&out[1], 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];
        out[0] = all;
    }
}

void run(int* partial, int* out) { sum<<<8, 64>>>(partial, out); }
