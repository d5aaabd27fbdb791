// family: atomics shared
// style: counter (level, lane) lies in bank lane: no two lanes of a warp ever meet; 32 KiB per block of 512 threads
// expected bottleneck: instructions: one shared atomic per pixel, and the sum over 32 lanes at the end
#include "workbook.cuh"

template <bool color>
__global__ void __launch_bounds__(512) banked(const uint8_t* in, uint8_t* gray, uint32_t* bins,
                                              int n) {
    extern __shared__ uint32_t banks[];  // [256][32]
    for (int i = threadIdx.x; i < 256 * 32; i += blockDim.x) banks[i] = 0;
    __syncthreads();
    const int lane = threadIdx.x & 31;
    const int quads = n / 4;
    for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < quads; q += gridDim.x * blockDim.x) {
        uchar4 v;
        if (color) {
            const uchar4* words = (const uchar4*)in + 3 * q;
            const uchar4 a = words[0], b = words[1], c = words[2];
            v.x = (30 * a.x + 59 * a.y + 11 * a.z + 50) / 100;
            v.y = (30 * a.w + 59 * b.x + 11 * b.y + 50) / 100;
            v.z = (30 * b.z + 59 * b.w + 11 * c.x + 50) / 100;
            v.w = (30 * c.y + 59 * c.z + 11 * c.w + 50) / 100;
            ((uchar4*)gray)[q] = v;
        } else {
            v = ((const uchar4*)in)[q];
        }
        atomicAdd(&banks[v.x * 32 + lane], 1u);
        atomicAdd(&banks[v.y * 32 + lane], 1u);
        atomicAdd(&banks[v.z * 32 + lane], 1u);
        atomicAdd(&banks[v.w * 32 + lane], 1u);
    }
    if (blockIdx.x == 0 && threadIdx.x < n - 4 * quads) {
        const int p = 4 * quads + threadIdx.x;
        int v = in[p];
        if (color) {
            v = (30 * in[3 * p] + 59 * in[3 * p + 1] + 11 * in[3 * p + 2] + 50) / 100;
            gray[p] = v;
        }
        atomicAdd(&banks[v * 32 + lane], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 256) {
        uint32_t sum = 0;
        for (int k = 0; k < 32; k++) sum += banks[threadIdx.x * 32 + (k + threadIdx.x) % 32];
        if (sum) atomicAdd(&bins[threadIdx.x], sum);
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    banked<false><<<132 * 4, 512, 256 * 32 * 4>>>(gray, nullptr, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    banked<true><<<132 * 4, 512, 256 * 32 * 4>>>(rgb, gray, bins, width * height);
}
