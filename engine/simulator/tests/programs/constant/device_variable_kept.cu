// about: A __device__ variable keeps its value from one launch to the next.
// output out: u32[1] = 30
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__device__ unsigned counter = 10;

__global__ void add() { atomicAdd(&counter, 1u); }
__global__ void read(unsigned* out) { *out = counter; }

void run(unsigned* out) {
    add<<<2, 5>>>();
    add<<<1, 10>>>();
    read<<<1, 1>>>(out);
}
