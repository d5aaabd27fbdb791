// Rung 3: coalesced loads.
//
// Before:   three one-byte loads a thread, each of which skips two bytes of three: a warp asks for
//           the same 96 bytes three times.
// Change:   the block fetches its bytes as whole words, consecutive threads consecutive words, into
//           shared memory, and picks the pixels apart there. Planar images are coalesced already:
//           consecutive threads read consecutive bytes of one plane, so that kernel stays as it
//           was.
// Expected: fewer and fuller requests for the interleaved image. Not always less time: a cache in
//           front of the memory merges the byte loads as well, while the trip through shared memory
//           and its barrier cost instructions; and every pixel is still a thread and a one-byte
//           store of its own.
#include "workbook.cuh"

constexpr int block_size = 256;
constexpr int block_bytes = 3 * block_size;
constexpr int block_words = block_bytes / 4;
static_assert(block_bytes % 4 == 0, "the bytes of a block begin and end with a word");
static_assert(block_words <= block_size, "one round loads all words");

// ANCHOR: kernel
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    __shared__ uint32_t staged[block_words];
    const int first_pixel = blockIdx.x * block_size;
    // The last block may have fewer bytes, and their number need not be a multiple of four.
    const uint8_t* source = rgb + 3 * first_pixel;
    const int bytes = min(block_bytes, 3 * (pixels - first_pixel));
    const int words = bytes / 4;
    const int thread = threadIdx.x;
    uint8_t* staged_bytes = reinterpret_cast<uint8_t*>(staged);
    if (thread < words) {
        staged[thread] = reinterpret_cast<const uint32_t*>(source)[thread];
    } else if (thread - words < bytes % 4) {
        const int leftover = 4 * words + (thread - words);
        staged_bytes[leftover] = source[leftover];
    }
    __syncthreads();  // all bytes of the block are in shared memory

    const int i = first_pixel + thread;
    if (i >= pixels) return;
    const uint8_t* pixel = staged_bytes + 3 * thread;
    const float sum = 0.3f * pixel[0] + 0.59f * pixel[1] + 0.11f * pixel[2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}
// ANCHOR_END: kernel

__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum =
        0.3f * planar_rgb[i] + 0.59f * planar_rgb[pixels + i] + 0.11f * planar_rgb[2 * pixels + i];
    gray[i] = static_cast<uint8_t>(sum * 0.6f + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, block_size), block_size>>>(rgb, gray, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_darken_kernel<<<ceil_div(pixels, block_size), block_size>>>(planar_rgb, gray, pixels);
}
