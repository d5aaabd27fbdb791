// about: Lanes return one by one from inside a loop.
// output out: i32[32] = i * 10
// finding: none

#include "workbook.cuh"

__global__ void kernel(int* out) {
    for (int k = 0; k < 100; ++k)
        if (threadIdx.x == k) {
            out[k] = k * 10;
            return;
        }
}

void run(int* out) { kernel<<<1, 32>>>(out); }
