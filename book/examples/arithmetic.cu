// about: Eight weighted sums of the bytes of each pixel, as a small filter needs them, computed in five ways.
// input in: u32[8192] = i * 40503 % 16777216
// output out: u8[8192] =
//   xor(k, 0, 8, ((in[i] & 255) * (77 - k) + (in[i] >> 8 & 255) * 150 + (in[i] >> 16 & 255) * (29 + k)) / 256)
// int n = 8192
// int total = 256
// elements: 8192
// scale: 8192
// grows: n
// columns: instructions, time, speed, limit
// variant doubles: constants without an f
// variant divided: integers, and a division by a number that the compiler does not know
// variant floats: conversions to float and back
// variant integers: three products and a shift
// variant dot_product: one __dp4a and a shift
// cost doubles: 46.0
// cost divided: 45.2
// cost floats: 46.0
// cost integers: 37.8
// cost dot_product: 24.0
#include "workbook.cuh"

constexpr int block_size = 256;

__device__ uint32_t byte_of(uint32_t word, int index) { return word >> (8 * index) & 0xff; }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 610
// GPUs before compute capability 6.1 have no such instruction.
__device__ uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t c) {
    for (int k = 0; k < 4; ++k) c += byte_of(a, k) * byte_of(b, k);
    return c;
}
#endif

// ANCHOR: gray
struct Doubles {
    static __device__ uint32_t gray(uint32_t p, int k, int) {
        return byte_of(p, 0) * ((77 - k) / 256.0) + byte_of(p, 1) * (150 / 256.0) +
               byte_of(p, 2) * ((29 + k) / 256.0);
    }
};

struct Divided {
    static __device__ uint32_t gray(uint32_t p, int k, int total) {
        return (byte_of(p, 0) * (77 - k) + byte_of(p, 1) * 150 + byte_of(p, 2) * (29 + k)) / total;
    }
};

struct Floats {
    static __device__ uint32_t gray(uint32_t p, int k, int) {
        return byte_of(p, 0) * ((77 - k) / 256.f) + byte_of(p, 1) * (150 / 256.f) +
               byte_of(p, 2) * ((29 + k) / 256.f);
    }
};

struct Integers {
    static __device__ uint32_t gray(uint32_t p, int k, int) {
        return (byte_of(p, 0) * (77 - k) + byte_of(p, 1) * 150 + byte_of(p, 2) * (29 + k)) >> 8;
    }
};

struct DotProduct {
    static __device__ uint32_t gray(uint32_t p, int k, int) {
        const uint32_t weights = (77 - k) | 150 << 8 | (29 + k) << 16;  // the fourth byte has the weight 0
        return __dp4a(p, weights, 0u) >> 8;
    }
};
// ANCHOR_END: gray

// ANCHOR: kernel
template <class Way>
__device__ uint32_t mixed(uint32_t p, int total) {
    uint32_t all = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) all ^= Way::gray(p, k, total);
    return all;
}

template <class Way>
__global__ void kernel(const uint4* in, uint32_t* out, int quads, int total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quads) return;
    const uint4 p = in[i];  // four pixels
    out[i] = mixed<Way>(p.x, total) | mixed<Way>(p.y, total) << 8 | mixed<Way>(p.z, total) << 16 |
             mixed<Way>(p.w, total) << 24;
}
// ANCHOR_END: kernel

template <class Way>
void run(const uint32_t* in, uint8_t* out, int n, int total) {
    const int quads = n / 4;
    kernel<Way><<<ceil_div(quads, block_size), block_size>>>(reinterpret_cast<const uint4*>(in),
                                                             reinterpret_cast<uint32_t*>(out), quads, total);
}

void doubles(const uint32_t* in, uint8_t* out, int n, int total) { run<Doubles>(in, out, n, total); }
void divided(const uint32_t* in, uint8_t* out, int n, int total) { run<Divided>(in, out, n, total); }
void floats(const uint32_t* in, uint8_t* out, int n, int total) { run<Floats>(in, out, n, total); }
void integers(const uint32_t* in, uint8_t* out, int n, int total) { run<Integers>(in, out, n, total); }
void dot_product(const uint32_t* in, uint8_t* out, int n, int total) { run<DotProduct>(in, out, n, total); }
