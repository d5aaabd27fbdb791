// about: The same function called from two branches, with results of its own for every lane.
// output out: i32[32] = i % 2 ? (i * 3 + 1) * 2 : (i + 100) * 3 + 1
// finding: none

#include "workbook.cuh"

__noinline__ __device__ int step(int x) { return 3 * x + 1; }

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    int r;
    if (i % 2)
        r = step(i) * 2;
    else
        r = step(i + 100);
    out[i] = r;
}

void run(int* out) { kernel<<<1, 32>>>(out); }
