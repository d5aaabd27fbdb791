// about: The host function reads GPU memory directly.
// input in: i32[32] = i
// output out: i32[32] = any
// finding: W0601 error
// gpu: skip the host function is interpreted, and ends at the same fault

#include "workbook.cuh"

__global__ void kernel(int* out, int by) { out[threadIdx.x] = by; }

void run(const int* in, int* out) {
    const int first = in[0];  // <- W0601
    kernel<<<1, 32>>>(out, first);
}
