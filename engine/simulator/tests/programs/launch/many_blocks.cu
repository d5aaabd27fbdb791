// about: Ten thousand blocks, each with one sum to add.
// output out: zeroed u64[1] = sum(k, 0, 10000, k)
// finding: none

#include "workbook.cuh"

__global__ void add(unsigned long long* out) {
    if (threadIdx.x == 0) atomicAdd(out, (unsigned long long)blockIdx.x);
}

void run(unsigned long long* out) { add<<<10000, 32>>>(out); }
