// about: The last block reads what others stored, but nothing makes their stores visible before the counter.
// output partial: i32[8] = any
// output out: zeroed i32[2] = any
// finding: race error

#include "workbook.cuh"

__global__ void sum(int* partial, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x;  // <- race
        last = atomicAdd(&out[1], 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) all += ((volatile int*)partial)[b];  // <- with race
        out[0] = all;
    }
}

void run(int* partial, int* out) { sum<<<8, 64>>>(partial, out); }
