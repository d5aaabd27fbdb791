// Rung 3: coalesced loads.
//
// tasks: grayscale
//
// Before:   three one-byte loads per thread, each of which skips two bytes of three: a warp
//           requests the same 96 bytes three times.
// Change:   the block loads its bytes as whole words into shared memory, consecutive threads
//           consecutive words, and takes the pixels apart there. (Planar images are coalesced
//           already: consecutive threads read consecutive bytes of one plane.)
// Expected: fewer and fuller requests for the interleaved image. Not always less time: the L1 cache
//           merges the byte loads as well, and the trip through shared memory costs instructions
//           and a barrier. Every pixel still takes a thread and a one-byte store.
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

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, block_size), block_size>>>(rgb, gray, pixels);
}
