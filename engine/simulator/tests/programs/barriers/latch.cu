// about: A latch opens when all threads have counted down.
// output out: i32[64] = 63 - i
// finding: none

#include "workbook.cuh"
#include <cuda/latch>

__global__ void kernel(int* out) {
    __shared__ int numbers[64];
    __shared__ cuda::latch<cuda::thread_scope_block> done;
    if (threadIdx.x == 0) init(&done, blockDim.x);
    __syncthreads();
    numbers[threadIdx.x] = threadIdx.x;
    done.arrive_and_wait();
    out[threadIdx.x] = numbers[63 - threadIdx.x];
}

void run(int* out) { kernel<<<1, 64>>>(out); }
