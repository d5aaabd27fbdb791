// about: A launch of more threads than the kernel's __launch_bounds__ promise.
// output out: i32[4] = any
// finding: launch error

#include "workbook.cuh"

__global__ void __launch_bounds__(64) kernel(int* out) { out[threadIdx.x % 4] = 1; }

void run(int* out) { kernel<<<1, 128>>>(out); }
