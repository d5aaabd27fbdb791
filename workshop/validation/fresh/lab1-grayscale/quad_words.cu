// family: four pixels per thread
// style: micro-optimised by hand: three words in, one word out, fixed-point weights of 16 bits
// expected bottleneck: memory bandwidth; load instructions with a stride of 12 bytes
#include "workbook.cuh"

__device__ __forceinline__ uint32_t weigh(uint32_t r, uint32_t g, uint32_t b) {
    return (19661u * r + 38666u * g + 7209u * b + 32768u) >> 16;
}

__device__ __forceinline__ uint32_t weigh_dark(uint32_t r, uint32_t g, uint32_t b) {
    return (11796u * r + 23200u * g + 4325u * b + 32768u) >> 16;
}

__global__ void __launch_bounds__(192) gray4(const uint32_t* __restrict__ rgb,
                                             uint32_t* __restrict__ gray, int quads, int pixels) {
    int q = blockIdx.x * 192 + threadIdx.x;
    if (q < quads) {
        uint32_t a = rgb[3 * q], b = rgb[3 * q + 1], c = rgb[3 * q + 2];
        uint32_t p0 = weigh(a & 255, a >> 8 & 255, a >> 16 & 255);
        uint32_t p1 = weigh(a >> 24, b & 255, b >> 8 & 255);
        uint32_t p2 = weigh(b >> 16 & 255, b >> 24, c & 255);
        uint32_t p3 = weigh(c >> 8 & 255, c >> 16 & 255, c >> 24);
        gray[q] = p0 | p1 << 8 | p2 << 16 | p3 << 24;
    } else if (q == quads) {
        const uint8_t* in = (const uint8_t*)rgb;
        uint8_t* out = (uint8_t*)gray;
        for (int i = 4 * quads; i < pixels; i++)
            out[i] = weigh(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
    }
}

// The planes of green and blue may begin at any byte, so they are read byte by byte.
__global__ void __launch_bounds__(192) dark4(const uint8_t* __restrict__ rgb,
                                             uint8_t* __restrict__ gray, int quads, int pixels) {
    int q = blockIdx.x * 192 + threadIdx.x;
    const uint8_t* green = rgb + pixels;
    const uint8_t* blue = green + pixels;
    if (q < quads) {
        uchar4 r = ((const uchar4*)rgb)[q];
        int i = 4 * q;
        uchar4 v;
        v.x = weigh_dark(r.x, green[i], blue[i]);
        v.y = weigh_dark(r.y, green[i + 1], blue[i + 1]);
        v.z = weigh_dark(r.z, green[i + 2], blue[i + 2]);
        v.w = weigh_dark(r.w, green[i + 3], blue[i + 3]);
        ((uchar4*)gray)[q] = v;
    } else if (q == quads) {
        for (int i = 4 * quads; i < pixels; i++) gray[i] = weigh_dark(rgb[i], green[i], blue[i]);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height, quads = pixels / 4;
    gray4<<<ceil_div(quads + 1, 192), 192>>>((const uint32_t*)rgb, (uint32_t*)gray, quads, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height, quads = pixels / 4;
    dark4<<<ceil_div(quads + 1, 192), 192>>>(planar_rgb, gray, quads, pixels);
}
