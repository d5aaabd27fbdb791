// about: One pointer that is to global memory in some threads and to shared memory in others.
// input in: i32[32] = 100 + i
// output out: i32[32] = i % 2 ? i * 10 : 100 + i
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void pick(const int* in, int* out) {
    __shared__ int own[32];
    const int i = threadIdx.x;
    own[i] = i * 10;
    __syncwarp();
    const int* from = i % 2 ? own : in;
    out[i] = from[i];
}

void run(const int* in, int* out) { pick<<<1, 32>>>(in, out); }
