// family: grid-stride loop
// style: micro-optimised: a fixed grid of 528 blocks, byte permutes and one dot product per pixel
// expected bottleneck: memory bandwidth; integer instructions of the permutes close behind
#include "workbook.cuh"

// Weights in 256ths, 77 + 151 + 28 = 256; 151 does not fit a signed byte, hence the unsigned product.
__device__ __forceinline__ uint32_t luma(uint32_t rgbx) {
    return (__dp4a(rgbx, 0x001c974du, 128u)) >> 8;
}

__global__ void gray_loop(const uint32_t* __restrict__ rgb, uint32_t* __restrict__ gray,
                          int pixels) {
    int quads = pixels >> 2;
    int stride = gridDim.x * blockDim.x;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int q = t; q < quads; q += stride) {
        uint32_t a = __ldg(rgb + 3 * q), b = __ldg(rgb + 3 * q + 1), c = __ldg(rgb + 3 * q + 2);
        uint32_t p0 = luma(a);
        uint32_t p1 = luma(__byte_perm(a, b, 0x0543));
        uint32_t p2 = luma(__byte_perm(b, c, 0x0432));
        uint32_t p3 = luma(c >> 8);
        gray[q] = __byte_perm(__byte_perm(p0, p1, 0x0040), __byte_perm(p2, p3, 0x0040), 0x5410);
    }
    int i = 4 * quads + t;
    if (i < pixels) {
        const uint8_t* p = (const uint8_t*)rgb + 3 * (size_t)i;
        ((uint8_t*)gray)[i] = luma(p[0] | p[1] << 8 | p[2] << 16);
    }
}

// The word of a plane that begins at any byte: two aligned words, shifted.
__device__ __forceinline__ uint32_t word_at(const uint8_t* p) {
    uintptr_t address = (uintptr_t)p;
    const uint32_t* base = (const uint32_t*)(address & ~(uintptr_t)3);
    uint32_t shift = (address & 3) * 8;
    uint32_t low = __ldg(base);
    return shift == 0 ? low : __funnelshift_r(low, __ldg(base + 1), shift);
}

__global__ void dark_loop(const uint8_t* __restrict__ planes, uint8_t* __restrict__ gray,
                          int pixels) {
    // The word after the last whole one must exist as well, so up to six pixels are left over.
    int quads = max(pixels - 3, 0) >> 2;
    int stride = gridDim.x * blockDim.x;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    const uint8_t* green = planes + pixels;
    const uint8_t* blue = green + pixels;
    for (int q = t; q < quads; q += stride) {
        uint32_t r = word_at(planes + 4 * q), g = word_at(green + 4 * q), b = word_at(blue + 4 * q);
        uint32_t word = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            uint32_t sum = 11796u * (r & 255) + 23200u * (g & 255) + 4325u * (b & 255) + 32768u;
            word = __byte_perm(word, sum, k == 0 ? 0x3216 : k == 1 ? 0x3260 : k == 2 ? 0x3610 : 0x6210);
            r >>= 8, g >>= 8, b >>= 8;
        }
        ((uint32_t*)gray)[q] = word;
    }
    int i = 4 * quads + t;
    if (i < pixels)
        gray[i] = (11796u * planes[i] + 23200u * green[i] + 4325u * blue[i] + 32768u) >> 16;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    gray_loop<<<528, 512>>>((const uint32_t*)rgb, (uint32_t*)gray, width * height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    dark_loop<<<528, 512>>>(planar_rgb, gray, width * height);
}
