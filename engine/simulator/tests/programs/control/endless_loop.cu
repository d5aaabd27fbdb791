// about: A loop whose index grows by nothing.
// output out: zeroed i32[32] = any
// finding: W0504 error
// gpu: skip it never ends

#include "workbook.cuh"

__global__ void kernel(int* out, int step) {
    for (int k = 0; k < 10; k += step) {  // <- W0504
        atomicAdd(&out[threadIdx.x], 1);  // <- W0504
    }
}

void run(int* out) { kernel<<<1, 32>>>(out, 0); }
