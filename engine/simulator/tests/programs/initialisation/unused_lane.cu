// about: Three channels in a uchar4 whose fourth nobody writes or uses.
// output out: u8[96] = i / 3 + i % 3
// finding: none
// sanitizer: initcheck

#include "workbook.cuh"

__global__ void fill(uint8_t* pixels) {
    for (int c = 0; c < 3; ++c) pixels[4 * threadIdx.x + c] = threadIdx.x + c;
}
__global__ void unpack(const uchar4* pixels, uint8_t* out) {
    const uchar4 p = pixels[threadIdx.x];
    out[3 * threadIdx.x] = p.x;
    out[3 * threadIdx.x + 1] = p.y;
    out[3 * threadIdx.x + 2] = p.z;
}

void run(uint8_t* out) {
    uint8_t* pixels = nullptr;
    cudaMalloc(&pixels, 128);
    fill<<<1, 32>>>(pixels);
    unpack<<<1, 32>>>((const uchar4*)pixels, out);
    cudaFree(pixels);
}
