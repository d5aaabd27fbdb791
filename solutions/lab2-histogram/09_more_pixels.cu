// Rung 9: more pixels per thread.
//
// Before:   a block zeroes and adds 8 x 256 counters for 1,024 pixels.
// Change:   a block counts more pixels before it adds: it loops over a longer piece of the image,
//           its threads side by side, one word each. The reports tried 10, 16 and 30 pixels per
//           thread: `histogram` takes 30 here, `gray_histogram` 10.
// Expected: a great gain: more pixels share the cost of zeroing and adding. Now a histogram per
//           warp pays off on ordinary images too.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int warp_size = 32;
constexpr int warps = block_size / warp_size;
static_assert(block_size == levels, "a thread zeroes and adds one level of every warp");

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

__device__ void count_quad(uint32_t* counts, uint32_t four) {
    for (int k = 0; k < 4; ++k) atomicAdd(&counts[byte_of(four, k)], 1u);
}

__device__ void zero(uint32_t (*counts)[levels]) {
    for (int warp = 0; warp < warps; ++warp) counts[warp][threadIdx.x] = 0;
}

__device__ void add_to_bins(uint32_t* bins, const uint32_t (*counts)[levels]) {
    uint32_t count = 0;
    for (int warp = 0; warp < warps; ++warp) count += counts[warp][threadIdx.x];
    if (count > 0) atomicAdd(&bins[threadIdx.x], count);
}

// The pixels of this block, `pixels_per_thread` for each thread.
struct Piece {
    int end;                   // one past its last pixel
    int first_quad, end_quad;  // its words of four pixels
};

template <int pixels_per_thread>
__device__ Piece piece_of_block(int pixels) {
    constexpr int size = block_size * pixels_per_thread;
    static_assert(size % 4 == 0, "a piece begins at a word");
    const int first = blockIdx.x * size;
    const int end = min(first + size, pixels);
    return {end, first / 4, end / 4};
}

// ANCHOR: kernel
template <int pixels_per_thread>
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[warps][levels];
    zero(counts);
    __syncthreads();  // a warp's counters were zeroed by all warps

    uint32_t* mine = counts[threadIdx.x / warp_size];
    const Piece piece = piece_of_block<pixels_per_thread>(pixels);
    const uint32_t* words = reinterpret_cast<const uint32_t*>(gray);
    for (int quad = piece.first_quad + threadIdx.x; quad < piece.end_quad; quad += block_size)
        count_quad(mine, words[quad]);
    // The image's last piece may leave up to three pixels.
    const int i = 4 * piece.end_quad + threadIdx.x;
    if (i < piece.end) atomicAdd(&mine[gray[i]], 1u);
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}
// ANCHOR_END: kernel

template <int pixels_per_thread>
__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    __shared__ uint32_t counts[warps][levels];
    zero(counts);
    __syncthreads();  // a warp's counters were zeroed by all warps

    uint32_t* mine = counts[threadIdx.x / warp_size];
    const Piece piece = piece_of_block<pixels_per_thread>(pixels);
    for (int quad = piece.first_quad + threadIdx.x; quad < piece.end_quad; quad += block_size) {
        const uint32_t* words = reinterpret_cast<const uint32_t*>(rgb) + 3 * quad;
        const uint32_t four = gray_quad(words[0], words[1], words[2]);
        reinterpret_cast<uint32_t*>(gray)[quad] = four;
        count_quad(mine, four);
    }
    const int i = 4 * piece.end_quad + threadIdx.x;
    if (i < piece.end) {
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        atomicAdd(&mine[level], 1u);
    }
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    constexpr int each = 30;  // tune: 4 8 12 16 30 32 64
    histogram_kernel<each><<<ceil_div(pixels, block_size * each), block_size>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    constexpr int gray_each = 10;
    gray_histogram_kernel<gray_each>
        <<<ceil_div(pixels, block_size * gray_each), block_size>>>(rgb, gray, bins, pixels);
}
