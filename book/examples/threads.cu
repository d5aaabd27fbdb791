// about: Each thread inverts one pixel. Which thread takes which pixel, and which threads have none?
// input in: u8[32500] = i % 251
// output out: u8[32500] = 255 - in[i]
// int width = 250
// int height = 130
// elements: 32500
// columns: blocks, threads, lanes, instructions
// variant flat: pixels as one long row, with a bounds check
// variant tiles: blocks of 32 × 8 pixels, with a check in both directions
// variant rounded_down: the number of blocks is rounded down
// variant unguarded: no bounds check
// cost flat: 127; 32,512; 30.2; 18.0
// cost tiles: 136; 34,816; 30.6; 27.4
// cost rounded_down: 126; 32,256; 32.0; 14.9; wrong
// cost unguarded: W0101
#include "workbook.cuh"

constexpr int block_size = 256;

// ANCHOR: flat
__global__ void flat_kernel(const uint8_t* in, uint8_t* out, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = 255 - in[i];
}

void flat(const uint8_t* in, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    flat_kernel<<<ceil_div(pixels, block_size), block_size>>>(in, out, pixels);
}
// ANCHOR_END: flat

// ANCHOR: tiles
__global__ void tiles_kernel(const uint8_t* in, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = 255 - in[y * width + x];
}

void tiles(const uint8_t* in, uint8_t* out, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(width, block.x), ceil_div(height, block.y));
    tiles_kernel<<<grid, block>>>(in, out, width, height);
}
// ANCHOR_END: tiles

// ANCHOR: unguarded
__global__ void unguarded_kernel(const uint8_t* in, uint8_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 255 - in[i];
}
// ANCHOR_END: unguarded

// ANCHOR: rounded_down
void rounded_down(const uint8_t* in, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    unguarded_kernel<<<pixels / block_size, block_size>>>(in, out);
}
// ANCHOR_END: rounded_down

void unguarded(const uint8_t* in, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    unguarded_kernel<<<ceil_div(pixels, block_size), block_size>>>(in, out);
}
