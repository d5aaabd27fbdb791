// about: Lanes leave a loop at different places and meet again behind it.
// output out: i32[32] = sum(k, 0, i + 1, k % 3 == 1 ? 0 : k)
// finding: none

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    int sum = 0;
    for (int k = 0;; ++k) {
        if (k > i) break;
        if (k % 3 == 1) continue;
        sum += k;
    }
    out[i] = sum;
}

void run(int* out) { kernel<<<1, 32>>>(out); }
