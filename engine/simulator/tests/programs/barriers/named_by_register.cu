// about: The number of the barrier is computed: each pair of warps has its own.
// output out: i32[128] = i ^ 32
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = i;
    asm volatile("bar.sync %0, 64;" ::"r"(1 + i / 64) : "memory");
    out[i] = tile[i ^ 32];
}

void run(int* out) { kernel<<<1, 128>>>(out); }
