// about: A sum by shuffles downward.
// input in: i32[96] = i * 2
// output out: i32[3] = sum(k, 0, 32, in[i * 32 + k])
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void reduce(const int* in, int* out) {
    int sum = in[threadIdx.x];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}

void run(const int* in, int* out) { reduce<<<1, 96>>>(in, out); }
