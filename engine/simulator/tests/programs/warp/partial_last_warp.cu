// about: A last warp of eight threads: the mask comes from a ballot before the branch.
// output out: i32[40] = i < 32 ? 496 : 8 * 32 + 28
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    const unsigned mask = __activemask();
    int sum = i;
    if (mask == 0xffffffffu) {
        for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(mask, sum, step);
    } else {
        for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(mask, sum, step);
    }
    out[i] = sum;
}

void run(int* out) { kernel<<<1, 40>>>(out); }
