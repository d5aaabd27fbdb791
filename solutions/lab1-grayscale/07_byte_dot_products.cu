// Rung 7: byte dot products.
//
// Before:   48 conversions from byte to float per thread, which go through a slow pipe, and 32 more
//           instructions for the sums.
// Change:   the weights become whole hundredths, and the three products of a pixel one instruction,
//           the dot product of four bytes. A multiplication in place of the division leaves the
//           level in the top byte. The result is exact.
// Expected: a fraction of the instructions. No gain where memory was the limit already, a large one
//           where arithmetic was.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024
constexpr int group = 16;  // pixels per thread

// The sum of the four products of the bytes of a and b, plus c. One instruction from compute
// capability 6.1 on.
__device__ uint32_t dot(uint32_t a, uint32_t b, uint32_t c) {
#if __CUDA_ARCH__ >= 610
    return __dp4a(a, b, c);
#else
    for (int shift = 0; shift < 32; shift += 8) c += (a >> shift & 0xff) * (b >> shift & 0xff);
    return c;
#endif
}

// The top bytes of four words, side by side.
__device__ uint32_t pack_top_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0073), __byte_perm(c, d, 0x0073), 0x5410);
}

// Gray in exact integers: 30 R + 59 G + 11 B + 50 hundredths, divided by 100. Multiplying by 2^24 /
// 100, rounded up, leaves the quotient in the top byte, exactly for every sum up to 25550, and
// below 2^32.
constexpr uint32_t gray_weights = 30 | 59 << 8 | 11 << 16;
constexpr uint32_t gray_scale = 167773;

__device__ uint32_t scaled_gray(uint32_t pixel) {
    return dot(pixel, gray_weights, 50) * gray_scale;
}

// Four interleaved pixels, R G B R | G B R G | B R G B, to four gray bytes. The fourth byte of a
// pixel's word belongs to its neighbour: its weight is 0.
__device__ uint32_t gray_quad(uint32_t a, uint32_t b, uint32_t c) {
    return pack_top_bytes(scaled_gray(a), scaled_gray(__byte_perm(a, b, 0x6543)),
                          scaled_gray(__byte_perm(b, c, 0x5432)), scaled_gray(c >> 8));
}

// Dark gray: 90 R + 177 G + 33 B + 250 five-hundredths, divided by 500. Here 2^24 / 500 is rounded
// down, and the offset, just below one five-hundredth, makes up for it: exact for every sum up to
// 76750.
constexpr uint32_t dark_weights = 90 | 177 << 8 | 33 << 16;
constexpr uint32_t dark_scale = 33554;
constexpr uint32_t dark_offset = 33387;

__device__ uint32_t scaled_dark_gray(uint32_t pixel) {
    return dot(pixel, dark_weights, 250) * dark_scale + dark_offset;
}

// Four bytes of each plane to four gray bytes: the planes are woven into pixels first.
__device__ uint32_t dark_gray_quad(uint32_t red, uint32_t green, uint32_t blue) {
    const uint32_t low = __byte_perm(red, green, 0x5140);   // R G R G of pixels 0 and 1
    const uint32_t high = __byte_perm(red, green, 0x7362);  // R G R G of pixels 2 and 3
    return pack_top_bytes(scaled_dark_gray(__byte_perm(low, blue, 0x0410)),
                          scaled_dark_gray(__byte_perm(low, blue, 0x0532)),
                          scaled_dark_gray(__byte_perm(high, blue, 0x0610)),
                          scaled_dark_gray(__byte_perm(high, blue, 0x0732)));
}

// One pixel on its own.
__device__ uint8_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return scaled_gray(red | green << 8 | blue << 16) >> 24;
}

__device__ uint8_t dark_gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return scaled_dark_gray(red | green << 8 | blue << 16) >> 24;
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
