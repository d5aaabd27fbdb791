// about: More dynamic shared memory than a block can have without asking for it.
// output out: i32[4] = any
// finding: launch error

#include "workbook.cuh"

__global__ void kernel(int* out) { out[threadIdx.x] = 1; }

void run(int* out) { kernel<<<1, 4, 300000>>>(out); }
