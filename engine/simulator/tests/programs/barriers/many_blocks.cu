// about: Barriers of different blocks have nothing to do with each other.
// output out: i32[320] = i / 32 * 32 + 31 - i % 32
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    tile[threadIdx.x] = blockIdx.x * 32 + threadIdx.x;
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x];
}

void run(int* out) { kernel<<<10, 32>>>(out); }
