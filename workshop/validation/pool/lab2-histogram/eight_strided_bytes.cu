// family: unrolled
// style: a grid-stride loop unrolled by hand: eight __ldg with the stride of the whole grid, then eight shared atomics
// expected bottleneck: shared atomics, one per pixel; byte loads keep enough bytes in flight
#include "workbook.cuh"

#define RGB(p, c) __ldg(&rgb[3 * (p) + (c)])
#define LEVEL(p) ((30 * RGB(p, 0) + 59 * RGB(p, 1) + 11 * RGB(p, 2) + 50) / 100)

__global__ void hist8(const uint8_t* __restrict__ gray, unsigned int* __restrict__ bins, int n) {
    __shared__ unsigned int s[2][256];
    s[0][threadIdx.x] = 0;
    s[1][threadIdx.x] = 0;
    __syncthreads();
    unsigned int* mine = s[threadIdx.x & 1];
    const int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 7 * stride < n; i += 8 * stride) {
        const int v0 = __ldg(&gray[i]), v1 = __ldg(&gray[i + stride]);
        const int v2 = __ldg(&gray[i + 2 * stride]), v3 = __ldg(&gray[i + 3 * stride]);
        const int v4 = __ldg(&gray[i + 4 * stride]), v5 = __ldg(&gray[i + 5 * stride]);
        const int v6 = __ldg(&gray[i + 6 * stride]), v7 = __ldg(&gray[i + 7 * stride]);
        atomicAdd(&mine[v0], 1); atomicAdd(&mine[v1], 1); atomicAdd(&mine[v2], 1);
        atomicAdd(&mine[v3], 1);
        atomicAdd(&mine[v4], 1); atomicAdd(&mine[v5], 1); atomicAdd(&mine[v6], 1);
        atomicAdd(&mine[v7], 1);
    }
    for (; i < n; i += stride) atomicAdd(&mine[gray[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s[0][threadIdx.x] + s[1][threadIdx.x]);
}

__global__ void grayhist8(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                          unsigned int* __restrict__ bins, int n) {
    __shared__ unsigned int s[2][256];
    s[0][threadIdx.x] = 0;
    s[1][threadIdx.x] = 0;
    __syncthreads();
    unsigned int* mine = s[threadIdx.x & 1];
    const int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 7 * stride < n; i += 8 * stride) {
        int v[8];
#pragma unroll
        for (int k = 0; k < 8; k++) v[k] = LEVEL(i + k * stride);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            gray[i + k * stride] = v[k];
            atomicAdd(&mine[v[k]], 1);
        }
    }
    for (; i < n; i += stride) {
        const int v = LEVEL(i);
        gray[i] = v;
        atomicAdd(&mine[v], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s[0][threadIdx.x] + s[1][threadIdx.x]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    hist8<<<1056, 256>>>(gray, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    grayhist8<<<1056, 256>>>(rgb, gray, bins, width * height);
}
