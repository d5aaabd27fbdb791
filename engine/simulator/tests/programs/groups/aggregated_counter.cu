// about: One atomic for all threads of a warp that found something: the leader adds, the others count on from it.
// input in: i32[256] = i * 7 % 10
// output count: zeroed i32[1] = sum(k, 0, 256, in[k] > 6)
// output seen: zeroed i32[256] = i < sum(k, 0, 256, in[k] > 6)
// finding: none

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__device__ int take(int* count) {
    auto active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(count, (int)active.size());
    return active.shfl(first, 0) + active.thread_rank();
}

__global__ void kernel(const int* in, int* count, int* seen) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 6) seen[take(count)] += 1;
}

void run(const int* in, int* count, int* seen) { kernel<<<2, 128>>>(in, count, seen); }
