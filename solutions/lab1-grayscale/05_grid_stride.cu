// Rung 5: a grid-stride loop.
//
// Before:   many short-lived threads: every block has to be started, computes its indices, and
//           ends.
// Change:   fewer threads, each with a loop: after its four pixels a thread steps ahead by as many
//           pixels as the whole grid does at once, so that the accesses of a warp stay side by
//           side. Two ways from the reports: `grayscale` has a fixed grid (60 x 45 blocks for any
//           image), `grayscale_darken` a grid that grows with the image (about ten rounds per
//           thread).
// Expected: a small gain on GPUs that start blocks slowly, little or none on new ones.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 128 256 512
constexpr int fixed_grid = 60 * 45;  // tune: 660 1056 60*45 10560
constexpr int rounds = 10;  // tune: 1 5 10 20

__device__ float byte_of(uint32_t word, int index) { return (word >> (8 * index)) & 0xff; }

__device__ uint32_t gray_of(float red, float green, float blue) {
    return static_cast<uint32_t>(0.3f * red + 0.59f * green + 0.11f * blue + 0.5f);
}

__device__ uint32_t dark_gray_of(float red, float green, float blue) {
    return static_cast<uint32_t>((0.3f * red + 0.59f * green + 0.11f * blue) * 0.6f + 0.5f);
}

// ANCHOR: kernel
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int quads, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int quad = thread; quad < quads; quad += stride) {
        const uint32_t* words = reinterpret_cast<const uint32_t*>(rgb) + 3 * quad;
        const uint32_t a = words[0], b = words[1], c = words[2];  // R G B R | G B R G | B R G B
        reinterpret_cast<uint32_t*>(gray)[quad] =
            gray_of(byte_of(a, 0), byte_of(a, 1), byte_of(a, 2)) |
            gray_of(byte_of(a, 3), byte_of(b, 0), byte_of(b, 1)) << 8 |
            gray_of(byte_of(b, 2), byte_of(b, 3), byte_of(c, 0)) << 16 |
            gray_of(byte_of(c, 1), byte_of(c, 2), byte_of(c, 3)) << 24;
    }
    for (int i = 4 * quads + thread; i < pixels; i += stride)
        gray[i] = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
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
    const int stride = gridDim.x * blockDim.x;
    for (int quad = thread; quad < quads; quad += stride) {
        const uint32_t red = load_word(planar_rgb, 4 * quad);
        const uint32_t green = load_word(planar_rgb, pixels + 4 * quad);
        const uint32_t blue = load_word(planar_rgb, 2 * pixels + 4 * quad);
        uint32_t result = 0;
        for (int k = 0; k < 4; ++k)
            result |= dark_gray_of(byte_of(red, k), byte_of(green, k), byte_of(blue, k)) << (8 * k);
        reinterpret_cast<uint32_t*>(gray)[quad] = result;
    }
    for (int i = 4 * quads + thread; i < pixels; i += stride)
        gray[i] = dark_gray_of(planar_rgb[i], planar_rgb[pixels + i], planar_rgb[2 * pixels + i]);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<fixed_grid, block_size>>>(rgb, gray, pixels / 4, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    // Where the planes are not aligned, the last quad of the blue plane would load a word past
    // its end.
    int quads = pixels / 4;
    if (pixels % 4 != 0 && quads > 0) quads -= 1;
    const int blocks = ceil_div(pixels, 4 * rounds * block_size);
    grayscale_darken_kernel<<<blocks, block_size>>>(planar_rgb, gray, quads, pixels);
}
