// about: Add up all elements. The threads of a block hold one sum each: how do these become one?
// input in: u32[65536] = i % 1000
// output total: zeroed u32[1] = 32610880
// int n = 65536
// elements: 65536
// scale: 1024
// grows: n
// columns: global atomics, shared requests, barriers, instructions, time
// variant atomics: every thread adds its sum to the total
// variant tree: halve the number of sums in shared memory, eight times
// variant shuffled: halve it inside each warp by shuffles, and once more for the sums of the warps
// cost atomics: 4,096; 0; 0; 6.7
// cost tree: 16; 720; 1,024; 8.7
// cost shuffled: 16; 144; 128; 8.5
#include "workbook.cuh"

constexpr int block_size = 256;
constexpr int per_thread = 16;

// ANCHOR: own_sum
__device__ uint32_t own_sum(const uint32_t* in, int n) {
    uint32_t sum = 0;
    const int first = per_thread * blockIdx.x * block_size + threadIdx.x;
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
        const int i = first + k * block_size;
        sum += i < n ? in[i] : 0;
    }
    return sum;
}
// ANCHOR_END: own_sum

__global__ void atomics_kernel(const uint32_t* in, uint32_t* total, int n) {
    atomicAdd(total, own_sum(in, n));
}

// ANCHOR: tree
__global__ void tree_kernel(const uint32_t* in, uint32_t* total, int n) {
    __shared__ uint32_t sums[block_size];
    sums[threadIdx.x] = own_sum(in, n);
    for (int half = block_size / 2; half > 0; half /= 2) {
        __syncthreads();  // the sums of the step before are there
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0) atomicAdd(total, sums[0]);
}
// ANCHOR_END: tree

// ANCHOR: shuffled
__device__ uint32_t warp_sum(uint32_t sum) {
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, half);  // from the lane `half` further on
    return sum;  // lane 0 has the sum of the warp
}

__global__ void shuffled_kernel(const uint32_t* in, uint32_t* total, int n) {
    __shared__ uint32_t sums[block_size / 32];
    const uint32_t of_warp = warp_sum(own_sum(in, n));
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = of_warp;
    __syncthreads();  // the sum of every warp is there

    if (threadIdx.x >= 32) return;
    const uint32_t of_block = warp_sum(threadIdx.x < block_size / 32 ? sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(total, of_block);
}
// ANCHOR_END: shuffled

using Kernel = void(const uint32_t*, uint32_t*, int);

template <Kernel kernel>
void run(const uint32_t* in, uint32_t* total, int n) {
    kernel<<<ceil_div(n, per_thread * block_size), block_size>>>(in, total, n);
}

void atomics(const uint32_t* in, uint32_t* total, int n) { run<atomics_kernel>(in, total, n); }
void tree(const uint32_t* in, uint32_t* total, int n) { run<tree_kernel>(in, total, n); }
void shuffled(const uint32_t* in, uint32_t* total, int n) { run<shuffled_kernel>(in, total, n); }
