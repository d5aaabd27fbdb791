// about: An array of many megabytes: lanes store in parts of it that lie far apart, and two blocks store to one place near its end.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: race error

#include "workbook.cuh"

__device__ int large[40 << 20];

__global__ void scatter(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    large[i * (600 << 10)] = in[i];
    large[(39 << 20) + threadIdx.x] = in[i];  // <- race
    out[i] = large[i * (600 << 10)];
}

void run(const int* in, int* out) { scatter<<<2, 32>>>(in, out); }
