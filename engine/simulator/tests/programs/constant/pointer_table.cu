// about: A __device__ table of pointers to other variables.
// output out: i32[4] = {10; 20; 11; 21}
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__device__ int first[2] = {10, 11};
__device__ int second[2] = {20, 21};
__device__ int* both[2] = {first, second};

__global__ void read(int* out) { out[threadIdx.x] = both[threadIdx.x % 2][threadIdx.x / 2]; }

void run(int* out) { read<<<1, 4>>>(out); }
