// about: Even elements need one computation and odd elements another. Which threads should take which elements?
// input in: u32[16384] = i * 40503 % 65536
// output out: u32[16384] =
//   i % 2 == 0 ? u32(sum(k, 1, 17, (in[i] ^ k) * k)) : xor(k, 1, 17, (in[i] + k) * (2 * k + 1))
// int n = 16384
// elements: 16384
// scale: 4096
// grows: n
// columns: lanes, instructions, sectors, time
// variant by_lane: neighbouring threads take neighbouring elements
// variant by_warp: a warp takes 32 even elements, or 32 odd ones
// variant both: every thread computes both and keeps one
// cost by_lane: 19.3; 92.0; 4.0
// cost by_warp: 31.2; 62.0; 8.0
// cost both: 31.6; 86.0; 4.0
#include "workbook.cuh"

constexpr int block_size = 256;

__device__ uint32_t of_even(uint32_t x) {
    uint32_t sum = 0;
    for (uint32_t k = 1; k <= 16; ++k) sum += (x ^ k) * k;
    return sum;
}

__device__ uint32_t of_odd(uint32_t x) {
    uint32_t all = 0;
    for (uint32_t k = 1; k <= 16; ++k) all ^= (x + k) * (2 * k + 1);
    return all;
}

// ANCHOR: by_lane
__global__ void by_lane_kernel(const uint32_t* in, uint32_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i % 2 == 0) {
        out[i] = of_even(in[i]);
    } else {
        out[i] = of_odd(in[i]);
    }
}
// ANCHOR_END: by_lane

// ANCHOR: by_warp
__global__ void by_warp_kernel(const uint32_t* in, uint32_t* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const int odd = threadIdx.x / 32 % 2;             // the same for a whole warp
    const int i = thread / 64 * 64 + 2 * lane + odd;  // two warps share 64 elements
    if (i >= n) return;
    if (odd == 0) {
        out[i] = of_even(in[i]);
    } else {
        out[i] = of_odd(in[i]);
    }
}
// ANCHOR_END: by_warp

// ANCHOR: both
__global__ void both_kernel(const uint32_t* in, uint32_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint32_t even = of_even(in[i]);
    const uint32_t odd = of_odd(in[i]);
    out[i] = i % 2 == 0 ? even : odd;
}
// ANCHOR_END: both

void by_lane(const uint32_t* in, uint32_t* out, int n) {
    by_lane_kernel<<<ceil_div(n, block_size), block_size>>>(in, out, n);
}

void by_warp(const uint32_t* in, uint32_t* out, int n) {
    by_warp_kernel<<<ceil_div(n, block_size), block_size>>>(in, out, n);
}

void both(const uint32_t* in, uint32_t* out, int n) {
    both_kernel<<<ceil_div(n, block_size), block_size>>>(in, out, n);
}
