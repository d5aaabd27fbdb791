// about: A shared address and an offset whose sum wraps in 32 bits, as nvcc computes tile[i + j - r].
// input in: i32[32] = i * i
// output out: i32[32] = in[i]
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void kernel(const int* in, int* out) {
    __shared__ int tile[64];
    const unsigned i = threadIdx.x;
    tile[i] = in[i];
    __syncthreads();
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(tile)) + 4 * i - 128;
    int value;
    asm volatile("ld.shared.b32 %0, [%1+128];" : "=r"(value) : "r"(address));
    out[i] = value;
}

void run(const int* in, int* out) { kernel<<<1, 32>>>(in, out); }
