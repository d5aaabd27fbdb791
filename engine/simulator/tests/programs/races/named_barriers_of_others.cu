// about: A named barrier of other warps does not order this one's loads.
// output out: i32[128] = any
// finding: race error
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x, half = i / 64;
    tile[i] = i;  // <- race
    if (half == 0)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[i] = tile[127 - i];  // <- with race
}

void run(int* out) { kernel<<<1, 128>>>(out); }
