// about: The absolute value of the smallest integer is itself; so is its negative.
// input in: i32[3] = {-2147483648; -5; 5}
// output out: i32[6] = {-2147483648; 5; 5; -2147483648; 5; -5}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const int* in, int* out) {
    const int i = threadIdx.x;
    out[i] = abs(in[i]);
    out[3 + i] = (int)(0u - (unsigned)in[i]);
}

void run(const int* in, int* out) { kernel<<<1, 3>>>(in, out); }
