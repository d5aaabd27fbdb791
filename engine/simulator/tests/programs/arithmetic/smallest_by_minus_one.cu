// about: The smallest integer divided by -1 overflows; the GPU gives a number and goes on.
// input in: i32[1] = -2147483648
// output out: i32[1] = any
// output after: i32[1] = 1
// finding: none

#include "workbook.cuh"

__global__ void kernel(const int* in, int* out, int* after, int by) {
    out[0] = in[0] / by;
    after[0] = 1;
}

void run(const int* in, int* out, int* after) { kernel<<<1, 1>>>(in, out, after, -1); }
