// about: A dynamic array begins at the next multiple of 16 after static variables of 5 bytes.
// output out: i32[64] = 63 - i
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    extern __shared__ int tile[];
    __shared__ int count;
    __shared__ bool last;
    const int i = threadIdx.x;
    tile[i] = i;
    if (i == 0) count = 64, last = true;
    __syncthreads();
    if (last) out[i] = tile[count - 1 - i];
}

void run(int* out) { kernel<<<1, 64, 64 * sizeof(int)>>>(out); }
