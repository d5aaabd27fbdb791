// about: A row tile with a halo of two on both sides, loaded by the whole block.
// input in: i32[256] = i * i % 101
// output out: i32[256] = sum(k, -2, 3, in[clamp(i + k, 0, 255)])
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void blur(const int* in, int* out, int n) {
    __shared__ int tile[64 + 4];
    const int first = blockIdx.x * 64 - 2;
    for (int t = threadIdx.x; t < 68; t += 64) tile[t] = in[min(max(first + t, 0), n - 1)];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 5; ++k) sum += tile[threadIdx.x + k];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const int* in, int* out) { blur<<<4, 64>>>(in, out, 256); }
