// about: Warp-specialised code: the first two warps meet at barrier 1, the others at barrier 2.
// output out: i32[128] = i / 64 * 64 + 63 - i % 64
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x, half = i / 64;
    tile[i] = i;
    if (half == 0)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[i] = tile[half * 64 + 63 - i % 64];
}

void run(int* out) { kernel<<<1, 128>>>(out); }
