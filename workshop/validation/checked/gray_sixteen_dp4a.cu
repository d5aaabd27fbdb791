// lab1 grayscale: 16 pixels a thread in three uint4, four-byte dot products
// Limit: three 16-byte loads and one 16-byte store a thread
#include "workbook.cuh"

__device__ uint32_t level(uint32_t rgbx) {
    return (__dp4a(rgbx, 0x001c974du, 0u) + 128u) >> 8;
}

__device__ uint32_t four(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t p0 = a & 0xffffffu;
    uint32_t p1 = __funnelshift_r(a, b, 24) & 0xffffffu;
    uint32_t p2 = __funnelshift_r(b, c, 16) & 0xffffffu;
    uint32_t p3 = c >> 8;
    return level(p0) | level(p1) << 8 | level(p2) << 16 | level(p3) << 24;
}

__global__ void sixteen(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray, int pixels) {
    int i = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 16 <= pixels) {
        const uint4* p = reinterpret_cast<const uint4*>(rgb + 3 * i);
        uint4 a = p[0], b = p[1], c = p[2];
        *reinterpret_cast<uint4*>(gray + i) =
            make_uint4(four(a.x, a.y, a.z), four(a.w, b.x, b.y), four(b.z, b.w, c.x), four(c.y, c.z, c.w));
    } else {
        for (; i < pixels; i++) gray[i] = (77 * rgb[3 * i] + 151 * rgb[3 * i + 1] + 28 * rgb[3 * i + 2] + 128) >> 8;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    sixteen<<<ceil_div(ceil_div(width * height, 16), 64), 64>>>(rgb, gray, width * height);
}
