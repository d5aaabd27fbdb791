// about: Count levels in one set of counters, in one per block, or in one per lane; on noise and on a smooth image.
// input noise: u8[65536] = i * 167 % 256
// input smooth: u8[65536] = i / 256 % 256
// output bins: zeroed u32[256] = 256
// int n = 65536
// elements: 65536
// scale: 1024
// grows: n
// columns: same address, global atomics, shared atomics, time
// variant grid_noise: one set of counters for the whole grid
// variant grid_smooth: the same on a smooth image
// variant block_noise: one set per block
// variant block_smooth: the same on a smooth image
// variant lane_noise: one set per lane
// variant lane_smooth: the same on a smooth image
// cost grid_noise: 1.0; 65,536; 0
// cost grid_smooth: 32.0; 65,536; 0
// cost block_noise: 1.0; 1,024; 8,192
// cost block_smooth: 31.5; 1,024; 2,048
// cost lane_noise: 1.0; 1,024; 2,048
// cost lane_smooth: 1.0; 1,024; 2,048
#include "workbook.cuh"

constexpr int block_size = 256;
constexpr int levels = 256;
constexpr int pixels_per_block = 16384;

__device__ uint32_t byte_of(uint32_t word, int index) { return word >> (8 * index) & 0xff; }

// ANCHOR: grid
__global__ void grid_kernel(const uint32_t* quads, uint32_t* bins) {
    quads += blockIdx.x * (pixels_per_block / 4);
    for (int i = threadIdx.x; i < pixels_per_block / 4; i += block_size) {
        const uint32_t four = quads[i];
        for (int k = 0; k < 4; ++k) atomicAdd(&bins[byte_of(four, k)], 1u);
    }
}
// ANCHOR_END: grid

// ANCHOR: block
__global__ void block_kernel(const uint32_t* quads, uint32_t* bins) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted

    quads += blockIdx.x * (pixels_per_block / 4);
    for (int i = threadIdx.x; i < pixels_per_block / 4; i += block_size) {
        const uint32_t four = quads[i];
        for (int k = 0; k < 4; ++k) atomicAdd(&counts[byte_of(four, k)], 1u);
    }
    __syncthreads();  // every pixel of the block is counted before a counter is read

    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
// ANCHOR_END: block

// ANCHOR: lane
__global__ void lane_kernel(const uint32_t* quads, uint32_t* bins) {
    __shared__ uint32_t counts[levels * 32];  // 32 KiB: the counters of a lane are all in its bank
    for (int i = threadIdx.x; i < levels * 32; i += block_size) counts[i] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted

    const int lane = threadIdx.x % 32;
    quads += blockIdx.x * (pixels_per_block / 4);
    for (int i = threadIdx.x; i < pixels_per_block / 4; i += block_size) {
        const uint32_t four = quads[i];
        for (int k = 0; k < 4; ++k) atomicAdd(&counts[byte_of(four, k) * 32 + lane], 1u);
    }
    __syncthreads();  // every pixel of the block is counted before a counter is read

    uint32_t sum = 0;  // each thread begins at another lane's counter: no two in one bank
    for (int k = 0; k < 32; ++k) sum += counts[threadIdx.x * 32 + (k + lane) % 32];
    atomicAdd(&bins[threadIdx.x], sum);
}
// ANCHOR_END: lane

using Kernel = void(const uint32_t*, uint32_t*);

template <Kernel kernel>
void count(const uint8_t* pixels, uint32_t* bins, int n) {
    kernel<<<n / pixels_per_block, block_size>>>(reinterpret_cast<const uint32_t*>(pixels), bins);
}

void grid_noise(const uint8_t* noise, const uint8_t*, uint32_t* bins, int n) {
    count<grid_kernel>(noise, bins, n);
}
void grid_smooth(const uint8_t*, const uint8_t* smooth, uint32_t* bins, int n) {
    count<grid_kernel>(smooth, bins, n);
}
void block_noise(const uint8_t* noise, const uint8_t*, uint32_t* bins, int n) {
    count<block_kernel>(noise, bins, n);
}
void block_smooth(const uint8_t*, const uint8_t* smooth, uint32_t* bins, int n) {
    count<block_kernel>(smooth, bins, n);
}
void lane_noise(const uint8_t* noise, const uint8_t*, uint32_t* bins, int n) {
    count<lane_kernel>(noise, bins, n);
}
void lane_smooth(const uint8_t*, const uint8_t* smooth, uint32_t* bins, int n) {
    count<lane_kernel>(smooth, bins, n);
}
