// about: Two cooperative launches in two streams, which may be on the GPU at the same time, with barriers of their own.
// output one: i32[192] = (i / 64 + 40) % 3
// output other: i32[320] = 10 + (i / 64 + 30) % 5
// finding: none

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

// Each block hands a number on to the one before it, round after round.
__global__ void pass_on(int* out, int* places, int first, int rounds) {
    const int next = (blockIdx.x + 1) % gridDim.x;
    int mine = first + blockIdx.x;
    for (int round = 0; round < rounds; ++round) {
        int* now = places + round % 2 * gridDim.x;
        if (threadIdx.x == 0) now[blockIdx.x] = mine;
        cg::this_grid().sync();
        mine = now[next];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

void run(int* one, int* other) {
    cudaStream_t streams[2];
    int* places[2];
    int *outs[] = {one, other}, blocks[] = {3, 5}, firsts[] = {0, 10}, rounds[] = {40, 30};
    for (int k = 0; k < 2; ++k) {
        cudaStreamCreate(&streams[k]);
        cudaMalloc(&places[k], 2 * blocks[k] * sizeof(int));
    }
    for (int k = 0; k < 2; ++k) {
        void* arguments[] = {&outs[k], &places[k], &firsts[k], &rounds[k]};
        cudaLaunchCooperativeKernel(pass_on, dim3(blocks[k]), dim3(64), arguments, 0, streams[k]);
    }
    for (int k = 0; k < 2; ++k) {
        cudaStreamSynchronize(streams[k]);
        cudaStreamDestroy(streams[k]);
        cudaFree(places[k]);
    }
}
