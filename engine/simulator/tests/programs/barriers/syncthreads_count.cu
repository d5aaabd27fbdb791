// about: Barriers that also count, and, or what the threads bring.
// output out: i32[96] = 40 * 100 + 0 * 10 + 1
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    const int count = __syncthreads_count(i < 40);
    const int all = __syncthreads_and(i < 40);
    const int any = __syncthreads_or(i == 70);
    out[i] = count * 100 + (all != 0) * 10 + (any != 0);
}

void run(int* out) { kernel<<<1, 96>>>(out); }
