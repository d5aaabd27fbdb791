// about: A sum by halving, with a barrier before every step.
// input in: i32[512] = i
// output out: i32[2] = 256 * 256 * i + 255 * 128
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void reduce(const int* in, int* out) {
    __shared__ int part[256];
    const int i = threadIdx.x;
    part[i] = in[blockIdx.x * 256 + i];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (i < half) part[i] += part[i + half];
        __syncthreads();
    }
    if (i == 0) out[blockIdx.x] = part[0];
}

void run(const int* in, int* out) { reduce<<<2, 256>>>(in, out); }
