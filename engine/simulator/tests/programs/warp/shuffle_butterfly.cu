// about: After a butterfly every lane has the largest value.
// input in: i32[32] = i * 37 % 32 - 5
// output out: i32[32] = 26
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void reduce(const int* in, int* out) {
    int largest = in[threadIdx.x];
    for (int bit = 1; bit < 32; bit *= 2) largest = max(largest, __shfl_xor_sync(0xffffffffu, largest, bit));
    out[threadIdx.x] = largest;
}

void run(const int* in, int* out) { reduce<<<1, 32>>>(in, out); }
