// family: warp intrinsics
// style: a warp loads 96 words side by side; lanes get the words of their four pixels by shuffles and take them apart with prmt and dp4a
// expected bottleneck: memory bandwidth; nine shuffles per four pixels come next
#include "workbook.cuh"

constexpr unsigned int every_lane = 0xffffffffu;

__device__ unsigned int level(unsigned int bytes) {  // R, G, B, anything
    return __dp4a(bytes, 0x000b3b1eu, 50u) / 100;
}

// Word k of the warp's 96, from 0 to 95.
__device__ unsigned int word_of(unsigned int a, unsigned int b, unsigned int c, int k) {
    const unsigned int x = __shfl_sync(every_lane, a, k & 31),
        y = __shfl_sync(every_lane, b, k & 31), z = __shfl_sync(every_lane, c, k & 31);
    return k < 32 ? x : k < 64 ? y : z;
}

__global__ void shuffled(const uint8_t* rgb, uint8_t* gray, int n) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const int first = warp * 128;  // pixel
    if (first >= n) return;
    if (first + 128 > n) {
        for (int i = first + lane; i < n; i += 32)
            gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        return;
    }
    const unsigned int* in = reinterpret_cast<const unsigned int*>(rgb + 3 * first);
    const unsigned int a = in[lane], b = in[32 + lane], c = in[64 + lane];
    const unsigned int u = word_of(a, b, c, 3 * lane), v = word_of(a, b, c, 3 * lane + 1),
        w = word_of(a, b, c, 3 * lane + 2);
    const unsigned int p0 = level(u), p1 = level(__byte_perm(u, v, 0x0543)),
        p2 = level(__byte_perm(v, w, 0x0432)),
                       p3 = level(w >> 8);
    reinterpret_cast<unsigned int*>(gray + first)[lane] = p0 | p1 << 8 | p2 << 16 | p3 << 24;
}

// Each lane computes one pixel; every fourth lane collects and stores a word.
__global__ void collected(const uint8_t* planes, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int v = 0;
    if (i < n)
        v = (unsigned int)((0.3f * planes[i] + 0.59f * planes[n + i] +
                            0.11f * planes[2 * n + i]) * 0.6f + 0.5f);
    unsigned int word = v << 8 * (i % 4);
    word |= __shfl_xor_sync(every_lane, word, 1);
    word |= __shfl_xor_sync(every_lane, word, 2);
    if (i - i % 4 + 4 <= n) {
        if (i % 4 == 0) reinterpret_cast<unsigned int*>(gray)[i / 4] = word;
    } else if (i < n) {
        gray[i] = v;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    shuffled<<<ceil_div(ceil_div(n, 128), 8), 256>>>(rgb, gray, n);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    collected<<<ceil_div(n, 256), 256>>>(planar_rgb, gray, n);
}
