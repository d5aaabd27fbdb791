// about: A null pointer that no thread uses is fine.
// output out: i32[32] = 2
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void store(int* out, int* other) {
    if (other != nullptr) other[threadIdx.x] = 1;
    out[threadIdx.x] = 2;
}

void run(int* out) { store<<<1, 32>>>(out, nullptr); }
