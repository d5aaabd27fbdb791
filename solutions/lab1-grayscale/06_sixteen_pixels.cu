// Rung 6: sixteen pixels per thread.
//
// Before:   loads and stores of four bytes. The memory system could carry four times as much with
//           each.
// Change:   the widest access of a thread, 16 bytes: three vectors in, one vector out, sixteen
//           pixels. The loop of rung 5 is gone: with so much work per thread, the start of a thread
//           costs little.
// Expected: more bytes in flight from fewer instructions: close to the speed of memory.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024
constexpr int group = 16;  // pixels per thread

__device__ float byte_of(uint32_t word, int index) { return (word >> (8 * index)) & 0xff; }

__device__ uint32_t gray_of(float red, float green, float blue) {
    return static_cast<uint32_t>(0.3f * red + 0.59f * green + 0.11f * blue + 0.5f);
}

__device__ uint32_t dark_gray_of(float red, float green, float blue) {
    return static_cast<uint32_t>((0.3f * red + 0.59f * green + 0.11f * blue) * 0.6f + 0.5f);
}

// Four interleaved pixels, R G B R | G B R G | B R G B, to four gray bytes.
__device__ uint32_t gray_quad(uint32_t a, uint32_t b, uint32_t c) {
    return gray_of(byte_of(a, 0), byte_of(a, 1), byte_of(a, 2)) |
           gray_of(byte_of(a, 3), byte_of(b, 0), byte_of(b, 1)) << 8 |
           gray_of(byte_of(b, 2), byte_of(b, 3), byte_of(c, 0)) << 16 |
           gray_of(byte_of(c, 1), byte_of(c, 2), byte_of(c, 3)) << 24;
}

__device__ uint32_t dark_gray_quad(uint32_t red, uint32_t green, uint32_t blue) {
    uint32_t result = 0;
    for (int k = 0; k < 4; ++k)
        result |= dark_gray_of(byte_of(red, k), byte_of(green, k), byte_of(blue, k)) << (8 * k);
    return result;
}

// ANCHOR: kernel
// Threads 0 to groups - 1 take sixteen pixels each, the threads after them one pixel each.
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int groups, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < groups) {
        const uint4* vectors = reinterpret_cast<const uint4*>(rgb) + 3 * thread;
        const uint4 a = vectors[0], b = vectors[1], c = vectors[2];
        reinterpret_cast<uint4*>(gray)[thread] =
            make_uint4(gray_quad(a.x, a.y, a.z), gray_quad(a.w, b.x, b.y), gray_quad(b.z, b.w, c.x),
                       gray_quad(c.y, c.z, c.w));
        return;
    }
    const int i = group * groups + (thread - groups);
    if (i < pixels) gray[i] = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}
// ANCHOR_END: kernel

// Sixteen bytes from any offset of a buffer that itself begins at a vector: two neighbouring
// vectors, moved down by 8, by 4 and by 0 to 3 bytes. The offset modulo 16 is the same for all
// threads, so no warp diverges.
__device__ uint4 load_vector(const uint8_t* buffer, int offset) {
    const uint4* vectors = reinterpret_cast<const uint4*>(buffer) + offset / 16;
    const int skipped = offset % 16;
    uint4 low = vectors[0];
    if (skipped == 0) return low;  // the next vector may lie past the buffer's end
    uint4 high = vectors[1];
    if (skipped & 8) {
        low = make_uint4(low.z, low.w, high.x, high.y);
        high = make_uint4(high.z, high.w, 0, 0);
    }
    if (skipped & 4) {
        low = make_uint4(low.y, low.z, low.w, high.x);
        high.x = high.y;
    }
    const int shift = 8 * (skipped % 4);
    return make_uint4(__funnelshift_r(low.x, low.y, shift), __funnelshift_r(low.y, low.z, shift),
                      __funnelshift_r(low.z, low.w, shift), __funnelshift_r(low.w, high.x, shift));
}

__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int groups, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < groups) {
        const uint4 red = load_vector(planar_rgb, group * thread);
        const uint4 green = load_vector(planar_rgb, pixels + group * thread);
        const uint4 blue = load_vector(planar_rgb, 2 * pixels + group * thread);
        reinterpret_cast<uint4*>(gray)[thread] = make_uint4(
            dark_gray_quad(red.x, green.x, blue.x), dark_gray_quad(red.y, green.y, blue.y),
            dark_gray_quad(red.z, green.z, blue.z), dark_gray_quad(red.w, green.w, blue.w));
        return;
    }
    const int i = group * groups + (thread - groups);
    if (i < pixels)
        gray[i] = dark_gray_of(planar_rgb[i], planar_rgb[pixels + i], planar_rgb[2 * pixels + i]);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const int groups = pixels / group;
    const int threads = groups + pixels % group;
    grayscale_kernel<<<ceil_div(threads, block_size), block_size>>>(rgb, gray, groups, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    // Where the planes are not aligned, the last group of the blue plane would load a vector past
    // its end.
    int groups = pixels / group;
    if (pixels % group != 0 && groups > 0) groups -= 1;
    const int threads = groups + (pixels - group * groups);
    grayscale_darken_kernel<<<ceil_div(threads, block_size), block_size>>>(planar_rgb, gray, groups,
                                                                           pixels);
}
