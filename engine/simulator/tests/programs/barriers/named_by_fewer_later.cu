// about: Four warps meet at a named barrier, then two of them at the same one, which counts two then.
// output out: i32[128] = i < 64 ? 127 - i : i
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    tile[i] = i;
    asm volatile("bar.sync 1, 128;" ::: "memory");
    if (i < 64) {
        tile[i] = tile[127 - i];
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    out[i] = tile[i];
}

void run(int* out) { kernel<<<1, 128>>>(out); }
