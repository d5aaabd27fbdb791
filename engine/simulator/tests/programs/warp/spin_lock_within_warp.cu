// about: Lanes of one warp wait for each other's lock: legal since Volta, endless before.
// output out: zeroed u32[2] = {32; 0}
// finding: none

#include "workbook.cuh"

__global__ void add(unsigned* out) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&out[1], 0u, 1u) == 0u) {
            __threadfence();
            *(volatile unsigned*)out += 1;
            __threadfence();
            atomicExch(&out[1], 0u);
            done = true;
        }
    }
}

void run(unsigned* out) { add<<<1, 32>>>(out); }
