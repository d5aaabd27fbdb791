// lab1 grayscale: three words in, one word out, a loop over a grid of 528 blocks of 512
// Limit: DRAM
#include "workbook.cuh"

__device__ unsigned at(const unsigned* w, int k) { return w[k >> 2] >> (8 * (k & 3)) & 255; }

__global__ void words(const unsigned* in, unsigned* out, int quads, const uint8_t* rgb, uint8_t* gray, int n) {
    for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < quads; q += gridDim.x * blockDim.x) {
        unsigned w[3] = {in[3 * q], in[3 * q + 1], in[3 * q + 2]}, r = 0;
#pragma unroll
        for (int p = 0; p < 4; p++)
            r |= (30 * at(w, 3 * p) + 59 * at(w, 3 * p + 1) + 11 * at(w, 3 * p + 2) + 50) / 100 << (8 * p);
        out[q] = r;
    }
    int i = 4 * quads + threadIdx.x;
    if (blockIdx.x == 0 && i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    words<<<528, 512>>>((const unsigned*)rgb, (unsigned*)gray, n / 4, rgb, gray, n);
}
