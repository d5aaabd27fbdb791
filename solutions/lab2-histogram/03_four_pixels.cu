// Rung 3: four pixels per thread.
//
// Before:   a thread is started, computes its index and loads one byte, all for one count.
// Change:   a thread takes four neighbouring pixels: one word in (three for colour, and one out).
// Expected: a quarter of the threads and loads, and as many atomics as before: no more than a small
//           gain.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024

__device__ uint32_t byte_of(uint32_t word, int index) { return (word >> (8 * index)) & 0xff; }

__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

// Four interleaved pixels, R G B R | G B R G | B R G B, to four gray bytes.
__device__ uint32_t gray_quad(uint32_t a, uint32_t b, uint32_t c) {
    return gray_of(byte_of(a, 0), byte_of(a, 1), byte_of(a, 2)) |
           gray_of(byte_of(a, 3), byte_of(b, 0), byte_of(b, 1)) << 8 |
           gray_of(byte_of(b, 2), byte_of(b, 3), byte_of(c, 0)) << 16 |
           gray_of(byte_of(c, 1), byte_of(c, 2), byte_of(c, 3)) << 24;
}

__device__ void count_quad(uint32_t* bins, uint32_t levels) {
    for (int k = 0; k < 4; ++k) atomicAdd(&bins[byte_of(levels, k)], 1u);
}

// ANCHOR: kernel
// Threads 0 to quads - 1 take four pixels each, the threads after them one pixel each.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int quads, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < quads) {
        // A buffer from cudaMalloc begins at a multiple of 256 bytes, so these words are aligned.
        count_quad(bins, reinterpret_cast<const uint32_t*>(gray)[thread]);
        return;
    }
    const int i = 4 * quads + (thread - quads);
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}
// ANCHOR_END: kernel

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int quads, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < quads) {
        const uint32_t* words = reinterpret_cast<const uint32_t*>(rgb) + 3 * thread;
        const uint32_t levels = gray_quad(words[0], words[1], words[2]);
        reinterpret_cast<uint32_t*>(gray)[thread] = levels;
        count_quad(bins, levels);
        return;
    }
    const int i = 4 * quads + (thread - quads);
    if (i >= pixels) return;
    const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    gray[i] = level;
    atomicAdd(&bins[level], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int quads = pixels / 4;
    const int threads = quads + pixels % 4;
    histogram_kernel<<<ceil_div(threads, block_size), block_size>>>(gray, bins, quads, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int quads = pixels / 4;
    const int threads = quads + pixels % 4;
    gray_histogram_kernel<<<ceil_div(threads, block_size), block_size>>>(rgb, gray, bins, quads,
                                                                         pixels);
}
