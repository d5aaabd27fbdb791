// Rung 13: pack a thread's counters into bytes.
//
// slower:   than rung 11 on ordinary images: each pixel takes two accesses of shared memory in
//           place of one atomic. It stands here because its time is the same for every image.
//
// Before:   shared counters need atomics, and a thread's private counters were too large for
//           anything but local memory.
// Change:   a thread's 256 counters are single bytes, 256 bytes of shared memory that only this
//           thread touches: no atomic. They are laid out so that a lane always works in its own
//           bank. A byte counts to 255: after every 15 loads of 16 pixels the block adds up the
//           bytes and starts again. Gray levels come from byte dot products, as in lab 1.
// Expected: the same time for every image: no queue, no bank conflict. Each pixel costs a load and
//           a store in shared memory, and few threads fit a multiprocessor.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 128;
constexpr int warp_size = 32;
constexpr int group = 16;          // pixels per load
constexpr int batch = 5;           // loads in flight
constexpr int full = 3 * batch;    // loads until a counter may be full
constexpr int words = levels / 4;  // four counters per word
constexpr int half = block_size / 2;
static_assert(full * group <= 255, "a byte counts to 255");
static_assert(block_size == 2 * words, "two threads add up one word");
static_assert(255 * half <= 0xffff, "the sums of a word's bytes fit 16 bits");

// packed[word][thread]: column t belongs to thread t, and lies in bank t % 32.
using Packed = uint32_t[words][block_size];

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

// The gray level of a pixel, in the top byte: multiplying by 2^24 / 100, rounded up, divides the
// hundredths by 100, exactly for every sum up to 25550.
__device__ uint32_t scaled_gray(uint32_t pixel) {
    constexpr uint32_t weights = 30 | 59 << 8 | 11 << 16;
    return dot(pixel, weights, 50) * 167773u;
}

// The top bytes of four words, side by side.
__device__ uint32_t pack_top_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0073), __byte_perm(c, d, 0x0073), 0x5410);
}

// Four interleaved pixels, R G B R | G B R G | B R G B, to four gray bytes. The fourth byte of a
// pixel's word belongs to its neighbour: its weight is 0.
__device__ uint32_t gray_quad(uint32_t a, uint32_t b, uint32_t c) {
    return pack_top_bytes(scaled_gray(a), scaled_gray(__byte_perm(a, b, 0x6543)),
                          scaled_gray(__byte_perm(b, c, 0x5432)), scaled_gray(c >> 8));
}

// Sixteen interleaved pixels to sixteen gray bytes.
__device__ uint4 gray_vector(uint4 a, uint4 b, uint4 c) {
    return make_uint4(gray_quad(a.x, a.y, a.z), gray_quad(a.w, b.x, b.y), gray_quad(b.z, b.w, c.x),
                      gray_quad(c.y, c.z, c.w));
}

// One pixel on its own.
__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return scaled_gray(red | green << 8 | blue << 16) >> 24;
}

__device__ void zero(Packed& packed) {
    for (int word = 0; word < words; ++word) packed[word][threadIdx.x] = 0;
}

__device__ void count(uint8_t* mine, uint32_t level) {
    mine[level / 4 * (4 * block_size) + level % 4] += 1;
}

__device__ void count_quad(uint8_t* mine, uint32_t four) {
    count(mine, four & 0xff);
    count(mine, four >> 8 & 0xff);
    count(mine, four >> 16 & 0xff);
    count(mine, four >> 24);
}

__device__ void count_vector(uint8_t* mine, uint4 sixteen) {
    count_quad(mine, sixteen.x);
    count_quad(mine, sixteen.y);
    count_quad(mine, sixteen.z);
    count_quad(mine, sixteen.w);
}

// Sums of the four levels of one word, over half of the columns.
struct Sums {
    uint32_t of[4];
};

// ANCHOR: add_up
// Adds the bytes of all threads to the sums, and zeroes them. Every lane begins at another column,
// that is, in another bank. All threads of the block take part.
__device__ void add_up(Packed& packed, Sums& sums) {
    __syncthreads();  // all threads have counted
    const int word = threadIdx.x / 2;
    const int first = threadIdx.x % 2 * half;
    uint32_t even = 0, odd = 0;  // two sums of 16 bits each
    for (int k = 0; k < half; ++k) {
        uint32_t& bytes = packed[word][first + (k + threadIdx.x % warp_size) % half];
        even += bytes & 0x00ff00ff;
        odd += bytes >> 8 & 0x00ff00ff;
        bytes = 0;
    }
    __syncthreads();  // the bytes are zero before they count again
    sums.of[0] += even & 0xffff;
    sums.of[1] += odd & 0xffff;
    sums.of[2] += even >> 16;
    sums.of[3] += odd >> 16;
}
// ANCHOR_END: add_up

__device__ void add_to_bins(uint32_t* bins, const Sums& sums) {
    for (int k = 0; k < 4; ++k)
        if (sums.of[k] > 0) atomicAdd(&bins[threadIdx.x / 2 * 4 + k], sums.of[k]);
}

// ANCHOR: kernel
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins, int pixels) {
    __shared__ Packed packed;
    zero(packed);
    uint8_t* mine = reinterpret_cast<uint8_t*>(&packed[0][threadIdx.x]);
    Sums sums = {};
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / group;
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    // All threads of the block take part in every round: add_up has barriers.
    for (int start = 0; start < groups; start += full * stride) {
        for (int k = 0; k < full; k += batch) {
            uint4 sixteen[batch];
            const int i = start + k * stride + thread;
            for (int j = 0; j < batch; ++j)
                if (i + j * stride < groups) sixteen[j] = vectors[i + j * stride];
            for (int j = 0; j < batch; ++j)
                if (i + j * stride < groups) count_vector(mine, sixteen[j]);
        }
        add_up(packed, sums);
    }
    add_to_bins(bins, sums);
    // Up to fifteen pixels are left.
    const int i = group * groups + thread;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}
// ANCHOR_END: kernel

__global__ void __launch_bounds__(block_size)
    gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                          uint32_t* __restrict__ bins, int pixels) {
    __shared__ Packed packed;
    zero(packed);
    uint8_t* mine = reinterpret_cast<uint8_t*>(&packed[0][threadIdx.x]);
    Sums sums = {};
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / group;
    const uint4* vectors = reinterpret_cast<const uint4*>(rgb);
    for (int start = 0; start < groups; start += full * stride) {
        for (int k = 0; k < full; ++k) {
            const int i = start + k * stride + thread;
            if (i >= groups) break;
            const uint4 sixteen =
                gray_vector(vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]);
            reinterpret_cast<uint4*>(gray)[i] = sixteen;
            count_vector(mine, sixteen);
        }
        add_up(packed, sums);
    }
    add_to_bins(bins, sums);
    const int i = group * groups + thread;
    if (i < pixels) {
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        atomicAdd(&bins[level], 1u);
    }
}

// As many blocks as the GPU holds at once, but no more than the image needs.
template <class Kernel>
int resident_grid(Kernel kernel, int groups) {
    int device = 0, multiprocessors = 0, blocks = 0;
    WORKBOOK_CHECK(cudaGetDevice(&device));
    WORKBOOK_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    WORKBOOK_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0));
    const int needed = ceil_div(groups, block_size);
    return max(1, min(multiprocessors * blocks, needed));
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int grid = resident_grid(histogram_kernel, pixels / group);
    histogram_kernel<<<grid, block_size>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int grid = resident_grid(gray_histogram_kernel, pixels / group);
    gray_histogram_kernel<<<grid, block_size>>>(rgb, gray, bins, pixels);
}
