// family: wide loads
// style: 8 pixels per uint2, prefetched one turn ahead; the colour task stages 24 bytes as three uint2
// expected bottleneck: shared atomics, eight per load
#include "workbook.cuh"

__device__ __forceinline__ void put(uint32_t* h, uint32_t word) {
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) atomicAdd(&h[word >> shift & 0xff], 1u);
}

__global__ void hist_uint2(const uint8_t* __restrict__ gray, uint32_t* bins, int n) {
    __shared__ uint32_t h[4][257];
    for (int i = threadIdx.x; i < 4 * 257; i += blockDim.x) (&h[0][0])[i] = 0;
    __syncthreads();
    uint32_t* mine = h[threadIdx.x / 32 % 4];
    const uint2* in = reinterpret_cast<const uint2*>(gray);
    const int count = n / 8, stride = gridDim.x * blockDim.x,
        t = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 next = t < count ? in[t] : make_uint2(0, 0);
    for (int i = t; i < count; i += stride) {
        const uint2 now = next;
        if (i + stride < count) next = in[i + stride];
        put(mine, now.x);
        put(mine, now.y);
    }
    if (t < n - 8 * count) atomicAdd(&mine[gray[8 * count + t]], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x)
        atomicAdd(&bins[v], h[0][v] + h[1][v] + h[2][v] + h[3][v]);
}

__global__ void gray_uint2(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                           uint32_t* bins, int n) {
    __shared__ uint32_t h[4][257];
    for (int i = threadIdx.x; i < 4 * 257; i += blockDim.x) (&h[0][0])[i] = 0;
    __syncthreads();
    uint32_t* mine = h[threadIdx.x / 32 % 4];
    const int count = n / 8, stride = gridDim.x * blockDim.x,
        t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = t; i < count; i += stride) {
        uint2 in[3];
#pragma unroll
        for (int k = 0; k < 3; k++) in[k] = reinterpret_cast<const uint2*>(rgb)[3 * i + k];
        const uint32_t w[6] = {in[0].x, in[0].y, in[1].x, in[1].y, in[2].x, in[2].y};
        uint32_t out[2] = {0, 0};
#pragma unroll
        for (int k = 0; k < 8; k++) {
            uint32_t sum = 50;
            const uint32_t weight[3] = {30, 59, 11};
#pragma unroll
            for (int c = 0; c < 3; c++)
                sum += weight[c] * (w[(3 * k + c) / 4] >> 8 * ((3 * k + c) % 4) & 255);
            out[k / 4] |= sum / 100 << 8 * (k % 4);
        }
        reinterpret_cast<uint2*>(gray)[i] = make_uint2(out[0], out[1]);
        put(mine, out[0]);
        put(mine, out[1]);
    }
    if (t < n - 8 * count) {
        const int p = 8 * count + t;
        const int v = (30 * rgb[3 * p] + 59 * rgb[3 * p + 1] + 11 * rgb[3 * p + 2] + 50) / 100;
        gray[p] = v;
        atomicAdd(&mine[v], 1u);
    }
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x)
        atomicAdd(&bins[v], h[0][v] + h[1][v] + h[2][v] + h[3][v]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    hist_uint2<<<660, 384>>>(gray, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    gray_uint2<<<660, 384>>>(rgb, gray, bins, width * height);
}
