// about: A tree through shared memory within one warp, ordered by __syncwarp.
// output out: i32[1] = 496
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void reduce(int* out) {
    __shared__ volatile int part[32];
    const int lane = threadIdx.x;
    part[lane] = lane;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        const int other = lane < half ? part[lane + half] : 0;
        __syncwarp();
        if (lane < half) part[lane] += other;
        __syncwarp();
    }
    if (lane == 0) *out = part[0];
}

void run(int* out) { reduce<<<1, 32>>>(out); }
