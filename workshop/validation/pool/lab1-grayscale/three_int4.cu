// family: wide loads
// style: competition code: 48 bytes per thread as three 16-byte loads, 16 pixels out; 16 scalar bytes per plane for the other task
// expected bottleneck: memory: the 16-byte loads of a warp lie 48 bytes apart; in the second task byte loads 16 bytes apart
#include "workbook.cuh"

typedef unsigned int u32;

__device__ __forceinline__ u32 lum(u32 r, u32 g, u32 b) {
    return (77 * r + 151 * g + 28 * b + 128) >> 8;
}

__global__ void __launch_bounds__(128) k48(const uint8_t* __restrict__ rgb,
                                           uint8_t* __restrict__ gray, int n) {
    const int t = blockIdx.x * 128 + threadIdx.x;
    const int p = t * 16;
    if (p >= n) return;
    if (p + 16 <= n) {
        union { uint4 v[3]; uint8_t b[48]; } in;
        const uint4* s = (const uint4*)(rgb + 3 * (size_t)p);
        in.v[0] = __ldcs(s); in.v[1] = __ldcs(s + 1); in.v[2] = __ldcs(s + 2);
        union { uint4 v; uint8_t b[16]; } o;
#pragma unroll
        for (int k = 0; k < 16; k++) o.b[k] = lum(in.b[3 * k], in.b[3 * k + 1], in.b[3 * k + 2]);
        *(uint4*)(gray + p) = o.v;
    } else {
        for (int i = p; i < n; i++) gray[i] = lum(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    }
}

__global__ void __launch_bounds__(128) k16(const uint8_t* __restrict__ in,
                                           uint8_t* __restrict__ gray, int n) {
    const int p = (blockIdx.x * 128 + threadIdx.x) * 16;
    if (p >= n) return;
    union { uint4 v; uint8_t b[16]; } o;
#pragma unroll
    for (int k = 0; k < 16; k++) {
        const int i = min(p + k, n - 1);
        o.b[k] = (uint8_t)((0.3f * in[i] + 0.59f * in[n + i] + 0.11f * in[2 * n + i]) * 0.6f +
                           0.5f);
    }
    if (p + 16 <= n) *(uint4*)(gray + p) = o.v;
    else
#pragma unroll
        for (int k = 0; k < 16; k++) if (p + k < n) gray[p + k] = o.b[k];
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    k48<<<ceil_div(n, 2048), 128>>>(rgb, gray, n);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    k16<<<ceil_div(n, 2048), 128>>>(planar_rgb, gray, n);
}
