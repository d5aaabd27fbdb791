// about: A __device__ variable without a value starts as zero.
// output out: i32[8] = 0
// finding: none
// sanitizer: initcheck

#include "workbook.cuh"

__device__ int table[8];

__global__ void read(int* out) { out[threadIdx.x] = table[threadIdx.x]; }

void run(int* out) { read<<<1, 8>>>(out); }
