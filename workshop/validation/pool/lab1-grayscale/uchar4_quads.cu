// family: wide loads
// style: four pixels per thread as three uchar4, fields picked by name; plane words are joined from two aligned ones
// expected bottleneck: memory bandwidth, a little below its peak
#include "workbook.cuh"

__device__ __forceinline__ unsigned char mix(int r, int g, int b) {
    return (unsigned char)((r * 19661 + g * 38666 + b * 7209 + 32768) >> 16);
}

__global__ void quads(const uint8_t* rgb, uint8_t* gray, int n) {
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * q + 3 < n) {
        const uchar4* in = reinterpret_cast<const uchar4*>(rgb) + 3 * q;
        const uchar4 a = in[0], b = in[1], c = in[2];
        uchar4 result;
        result.x = mix(a.x, a.y, a.z);
        result.y = mix(a.w, b.x, b.y);
        result.z = mix(b.z, b.w, c.x);
        result.w = mix(c.y, c.z, c.w);
        reinterpret_cast<uchar4*>(gray)[q] = result;
    } else {
        for (int i = 4 * q; i < n; i++) gray[i] = mix(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    }
}

// Four bytes from any address; the aligned word after them has to exist.
__device__ __forceinline__ uint32_t four_at(const uint8_t* base, int offset) {
    const uint32_t* word = reinterpret_cast<const uint32_t*>(base) + (offset >> 2);
    return __funnelshift_r(word[0], word[1], 8 * (offset & 3));
}

__device__ __forceinline__ unsigned char shade(uint32_t r, uint32_t g, uint32_t b, int k) {
    const float sum = 0.3f * (r >> 8 * k & 255) + 0.59f * (g >> 8 * k & 255) +
        0.11f * (b >> 8 * k & 255);
    return (unsigned char)(sum * 0.6f + 0.5f);
}

__global__ void plane_quads(const uint8_t* planes, uint8_t* gray, int n) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first + 11 < n) {
        const uint32_t r = four_at(planes, first), g = four_at(planes, n + first),
            b = four_at(planes, 2 * n + first);
        *reinterpret_cast<uchar4*>(gray + first) =
            make_uchar4(shade(r, g, b, 0), shade(r, g, b, 1), shade(r, g, b, 2), shade(r, g, b, 3));
    } else {
        for (int i = first; i < min(first + 4, n); i++)
            gray[i] = shade(planes[i], planes[n + i], planes[2 * n + i], 0);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    quads<<<ceil_div(ceil_div(n, 4), 256), 256>>>(rgb, gray, n);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    plane_quads<<<ceil_div(ceil_div(n, 4), 256), 256>>>(planar_rgb, gray, n);
}
