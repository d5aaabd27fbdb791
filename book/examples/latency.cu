// about: Four launches copy the same elements. They differ in how many loads are in flight at once.
// input in: u32[540672] = noise 7
// output out: u32[540672] = in[i]
// int n = 540672
// elements: 540672
// scale: 128
// grows: n
// grid: fixed
// columns: blocks, warps, scarce, time, speed, limit
// variant one_block: 1 block of 1,024 threads
// variant few_warps: 132 blocks of 256 threads, one per multiprocessor
// variant eight_loads: the same, with eight loads in flight per thread
// variant many_warps: 1,056 blocks of 256 threads, eight per multiprocessor
// cost one_block: 1; 32.0; grid
// cost few_warps: 132; 8.0; grid
// cost eight_loads: 132; 8.0; grid
// cost many_warps: 1,056; 64.0; threads
#include "workbook.cuh"

// The multiprocessors of an H200; `checker device` shows those of your GPU.
constexpr int multiprocessors = 132;

// ANCHOR: one_load
__global__ void one_load_kernel(const uint32_t* __restrict__ in, uint32_t* __restrict__ out, int n) {
    const int threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) out[i] = in[i];
}
// ANCHOR_END: one_load

// ANCHOR: eight_loads
__global__ void eight_loads_kernel(const uint32_t* __restrict__ in, uint32_t* __restrict__ out, int n) {
    constexpr int loads = 8;
    const int threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += loads * threads) {
        uint32_t x[loads];
#pragma unroll
        for (int k = 0; k < loads; ++k)
            x[k] = i + k * threads < n ? in[i + k * threads] : 0;  // no load waits for another
#pragma unroll
        for (int k = 0; k < loads; ++k)
            if (i + k * threads < n) out[i + k * threads] = x[k];
    }
}
// ANCHOR_END: eight_loads

void one_block(const uint32_t* in, uint32_t* out, int n) { one_load_kernel<<<1, 1024>>>(in, out, n); }

void few_warps(const uint32_t* in, uint32_t* out, int n) {
    one_load_kernel<<<multiprocessors, 256>>>(in, out, n);
}

void eight_loads(const uint32_t* in, uint32_t* out, int n) {
    eight_loads_kernel<<<multiprocessors, 256>>>(in, out, n);
}

void many_warps(const uint32_t* in, uint32_t* out, int n) {
    one_load_kernel<<<8 * multiprocessors, 256>>>(in, out, n);
}
