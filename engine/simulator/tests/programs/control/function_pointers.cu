// about: A call through a table of functions, another for every lane.
// output out: i32[9] = i % 3 == 0 ? i + 1 : i % 3 == 1 ? i * i : -i
// finding: none

#include "workbook.cuh"

typedef int (*Function)(int);
__device__ int next(int x) { return x + 1; }
__device__ int square(int x) { return x * x; }
__device__ int negative(int x) { return -x; }
__device__ Function table[3] = {next, square, negative};

__global__ void call(int* out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x); }

void run(int* out) { call<<<1, 9>>>(out); }
