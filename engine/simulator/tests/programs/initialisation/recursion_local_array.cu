// about: Each call of a function that calls itself has a local array of its own, with nothing in it.
// output out: i32[1] = any
// finding: W0204 error

#include "workbook.cuh"

// Calls at the same depth use the same bytes: what the first call left there is not the second call's.
__device__ __noinline__ int pick(int depth, int write, int at) {
    int local[8];
    if (write)
        for (int i = 0; i < 8; ++i) local[(i + depth) & 7] = i;
    const int inner = depth == 0 ? 0 : pick(depth - 1, write, at);
    return local[at] + inner % 10;
}

__global__ void kernel(int* out, int zero) {
    const int first = pick(1, 1, 3 + zero);
    const int second = pick(1, zero, 3 + zero);
    out[0] = first + second;  // <- W0204
}

void run(int* out) { kernel<<<1, 1>>>(out, 0); }
