// Rung 4: four pixels per thread.
//
// Before:   every result is a store of one byte, every thread is started for one pixel, and the
//           planar image is still read byte by byte.
// Change:   a thread does four neighbouring pixels: three words in, one word out, for both layouts.
//           A plane need not begin at a word: where it does not, two words are loaded and shifted
//           together.
// Expected: a quarter of the threads, loads and stores for the same bytes: a clear gain.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024

__device__ float byte_of(uint32_t word, int index) { return (word >> (8 * index)) & 0xff; }

__device__ uint32_t gray_of(float red, float green, float blue) {
    return static_cast<uint32_t>(0.3f * red + 0.59f * green + 0.11f * blue + 0.5f);
}

__device__ uint32_t dark_gray_of(float red, float green, float blue) {
    return static_cast<uint32_t>((0.3f * red + 0.59f * green + 0.11f * blue) * 0.6f + 0.5f);
}

// ANCHOR: kernel
// Threads 0 to quads - 1 take four pixels each, the threads after them one pixel each.
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int quads, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < quads) {
        // A buffer from cudaMalloc begins at a multiple of 256 bytes, so these words are aligned.
        const uint32_t* words = reinterpret_cast<const uint32_t*>(rgb) + 3 * thread;
        const uint32_t a = words[0], b = words[1], c = words[2];  // R G B R | G B R G | B R G B
        reinterpret_cast<uint32_t*>(gray)[thread] =
            gray_of(byte_of(a, 0), byte_of(a, 1), byte_of(a, 2)) |
            gray_of(byte_of(a, 3), byte_of(b, 0), byte_of(b, 1)) << 8 |
            gray_of(byte_of(b, 2), byte_of(b, 3), byte_of(c, 0)) << 16 |
            gray_of(byte_of(c, 1), byte_of(c, 2), byte_of(c, 3)) << 24;
        return;
    }
    const int i = 4 * quads + (thread - quads);
    if (i < pixels) gray[i] = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}
// ANCHOR_END: kernel

// Four bytes from any offset of a buffer that itself begins at a word.
__device__ uint32_t load_word(const uint8_t* buffer, int offset) {
    const uint32_t* words = reinterpret_cast<const uint32_t*>(buffer) + offset / 4;
    const int shift = 8 * (offset % 4);
    // The second word is loaded only where it is needed: it may be past the end of the buffer.
    const uint32_t next = shift == 0 ? 0 : words[1];
    return __funnelshift_r(words[0], next, shift);
}

__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int quads, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < quads) {
        const uint32_t red = load_word(planar_rgb, 4 * thread);
        const uint32_t green = load_word(planar_rgb, pixels + 4 * thread);
        const uint32_t blue = load_word(planar_rgb, 2 * pixels + 4 * thread);
        uint32_t result = 0;
        for (int k = 0; k < 4; ++k)
            result |= dark_gray_of(byte_of(red, k), byte_of(green, k), byte_of(blue, k)) << (8 * k);
        reinterpret_cast<uint32_t*>(gray)[thread] = result;
        return;
    }
    const int i = 4 * quads + (thread - quads);
    if (i < pixels)
        gray[i] = dark_gray_of(planar_rgb[i], planar_rgb[pixels + i], planar_rgb[2 * pixels + i]);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const int quads = pixels / 4;
    const int threads = quads + pixels % 4;
    grayscale_kernel<<<ceil_div(threads, block_size), block_size>>>(rgb, gray, quads, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    // Where the planes are not aligned, the last quad of the blue plane would load a word past
    // its end.
    int quads = pixels / 4;
    if (pixels % 4 != 0 && quads > 0) quads -= 1;
    const int threads = quads + (pixels - 4 * quads);
    grayscale_darken_kernel<<<ceil_div(threads, block_size), block_size>>>(planar_rgb, gray, quads,
                                                                           pixels);
}
