// family: unrolled
// style: each thread takes eight pixels a block apart; all loads are written before the first use
// expected bottleneck: memory bandwidth in the planar task; load instructions on bytes in the other
#include "workbook.cuh"

#define N 8

template <bool PLANAR>
__global__ void unrolled(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int n) {
    const int base = blockIdx.x * blockDim.x * N + threadIdx.x;
    int r[N], g[N], b[N];
    if (base + (N - 1) * (int)blockDim.x < n) {
#pragma unroll
        for (int k = 0; k < N; k++) {
            const int i = base + k * blockDim.x;
            r[k] = __ldg(in + (PLANAR ? i : 3 * i));
            g[k] = __ldg(in + (PLANAR ? n + i : 3 * i + 1));
            b[k] = __ldg(in + (PLANAR ? 2 * n + i : 3 * i + 2));
        }
#pragma unroll
        for (int k = 0; k < N; k++) {
            const float s = 0.3f * r[k] + 0.59f * g[k] + 0.11f * b[k];
            out[base + k * blockDim.x] = (uint8_t)(PLANAR ? s * 0.6f + 0.5f : s + 0.5f);
        }
    } else {
        for (int i = base; i < n; i += blockDim.x) {
            const float s = PLANAR ? 0.3f * in[i] + 0.59f * in[n + i] + 0.11f * in[2 * n + i]
                                   : 0.3f * in[3 * i] + 0.59f * in[3 * i + 1] +
                                       0.11f * in[3 * i + 2];
            out[i] = (uint8_t)(PLANAR ? s * 0.6f + 0.5f : s + 0.5f);
        }
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    unrolled<false><<<ceil_div(width * height, 128 * N), 128>>>(rgb, gray, width * height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    unrolled<true><<<ceil_div(width * height, 128 * N), 128>>>(planar_rgb, gray, width * height);
}
