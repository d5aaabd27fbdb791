// about: Compare-and-swap of 64 bits: every thread adds to both halves at once.
// output out: zeroed u64[1] = 32 + (sum(k, 0, 32, k) << 32)
// finding: none

#include "workbook.cuh"

__global__ void add(unsigned long long* out) {
    unsigned long long old = *(volatile unsigned long long*)out, seen;
    for (;;) {
        seen = atomicCAS(out, old, old + 1 + ((unsigned long long)threadIdx.x << 32));
        if (seen == old) break;
        old = seen;
    }
}

void run(unsigned long long* out) { add<<<1, 32>>>(out); }
