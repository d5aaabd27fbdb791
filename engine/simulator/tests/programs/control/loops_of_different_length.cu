// about: Every lane runs its loop a different number of times: Collatz.
// input steps: i32[16] = {0; 0; 1; 7; 2; 5; 8; 16; 3; 19; 6; 14; 9; 9; 17; 17}
// output out: i32[16] = steps[i]
// finding: none

#include "workbook.cuh"

__global__ void collatz(int* out) {
    unsigned n = threadIdx.x;
    int count = 0;
    while (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++count;
    }
    out[threadIdx.x] = count;
}

void run(const int* steps, int* out) { collatz<<<1, 16>>>(out); }
