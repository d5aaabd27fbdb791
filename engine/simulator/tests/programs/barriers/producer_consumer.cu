// about: A producer warp arrives at a named barrier and goes on; the consumer waits there.
// output out: i32[64] = i < 32 ? 3 * (31 - i) : -1
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int box[32];
    const int i = threadIdx.x, lane = i % 32;
    if (i < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[lane] = box[31 - lane];
    } else {
        box[lane] = 3 * lane;
        __threadfence_block();
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        out[i] = -1;
    }
}

void run(int* out) { kernel<<<1, 64>>>(out); }
