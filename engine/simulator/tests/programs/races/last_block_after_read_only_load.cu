// about: A load through the read-only path (__ldg) acquires nothing, so the atomics of a kernel that has one still order
// about: nothing without a fence.
// output partial: i32[8] = any
// input first: i32[8] = i
// output out: zeroed i32[2] = any
// finding: race error

#include "workbook.cuh"

__global__ void sum(int* partial, const int* first, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = __ldg(&first[blockIdx.x]);  // <- race
        last = atomicAdd(&out[1], 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) all += ((volatile int*)partial)[b];  // <- with race
        out[0] = all;
    }
}

void run(int* partial, const int* first, int* out) { sum<<<8, 64>>>(partial, first, out); }
