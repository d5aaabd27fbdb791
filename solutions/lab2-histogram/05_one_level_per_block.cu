// Rung 5: one level per block.
//
// Before:   counters in memory, and atomics that add them to the bins.
// Change:   256 blocks, one per level. Each reads the whole image and counts its own level only,
//           each thread in a register. A reduction leaves one sum per block, a plain store: half of
//           the threads add the other half's counts to theirs, until one is left. No atomic at all.
//           Loads are as wide as possible, and four bytes are compared at once. (A report's "one
//           color per block", there with one load per pixel.)
// Expected: the image is read 256 times. A lower bound for what a histogram without atomics can do,
//           and the same time for every image.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int group = 16;  // pixels per load
static_assert((block_size & (block_size - 1)) == 0, "the reduction halves the block down to one");

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

// How many of the four bytes of `four` equal those of `pattern`, a level repeated four times. Of a
// byte that is zero, and of no other, the sum below leaves the top bit clear.
__device__ uint32_t equal_bytes(uint32_t four, uint32_t pattern) {
    const uint32_t difference = four ^ pattern;
    const uint32_t nonzero = ((difference & 0x7f7f7f7fu) + 0x7f7f7f7fu) | difference;
    return __popc(~nonzero & 0x80808080u);
}

// ANCHOR: kernel
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t sums[block_size];
    const uint32_t level = blockIdx.x;
    const uint32_t pattern = level * 0x01010101u;
    const int groups = pixels / group;
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    uint32_t count = 0;
    for (int i = threadIdx.x; i < groups; i += block_size) {
        const uint4 sixteen = vectors[i];
        count += equal_bytes(sixteen.x, pattern) + equal_bytes(sixteen.y, pattern) +
                 equal_bytes(sixteen.z, pattern) + equal_bytes(sixteen.w, pattern);
    }
    // Up to fifteen pixels are left.
    const int i = group * groups + threadIdx.x;
    if (i < pixels && gray[i] == level) count += 1;

    sums[threadIdx.x] = count;
    __syncthreads();  // every thread has put its count down
    for (int half = block_size / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();  // the sums of this step are complete
    }
    if (threadIdx.x == 0) bins[level] = sums[0];
}
// ANCHOR_END: kernel

// Threads 0 to quads - 1 take four pixels each, the threads after them one pixel each.
__global__ void gray_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray, int quads,
                            int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < quads) {
        const uint32_t* words = reinterpret_cast<const uint32_t*>(rgb) + 3 * thread;
        reinterpret_cast<uint32_t*>(gray)[thread] = gray_quad(words[0], words[1], words[2]);
        return;
    }
    const int i = 4 * quads + (thread - quads);
    if (i < pixels) gray[i] = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    histogram_kernel<<<levels, block_size>>>(gray, bins, width * height);
}

// Two kernels: a block that reads all pixels for one level cannot make them gray for all others.
void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int quads = pixels / 4;
    const int threads = quads + pixels % 4;
    gray_kernel<<<ceil_div(threads, block_size), block_size>>>(rgb, gray, quads, pixels);
    histogram_kernel<<<levels, block_size>>>(gray, bins, pixels);
}
