// expect: full points histogram
// expect on a GPU: right histogram
// honest: a histogram per lane and a grid as large as the GPU, whatever the picture.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int warp_size = 32;
constexpr int group = 16;  // pixels per load

// One block of 1,024 threads per multiprocessor, each with three loads in flight, keeps the memory
// busy. A second block would have another 32 KiB of counters to zero and to add up.
constexpr int block_size = 1024;
constexpr int blocks = 1;
constexpr int ahead = 3;  // vectors in flight per thread of `histogram`

// counts[level][lane]: lane l's counters lie in bank l.
using Replicas = uint32_t[levels][warp_size];

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

__device__ void zero(Replicas& counts) {
    static_assert(levels * warp_size / 4 % block_size == 0, "all threads zero alike");
    uint4* vectors = reinterpret_cast<uint4*>(counts);
    for (int i = threadIdx.x; i < levels * warp_size / 4; i += block_size)
        vectors[i] = make_uint4(0, 0, 0, 0);
}

// ANCHOR: count_quad
// Counts four levels. A level's counters begin 128 * level bytes into the replicas: a dot product
// with 128 at one byte and zeros elsewhere picks that byte out, scales it and adds the lane's
// place.
__device__ void count_quad(Replicas& counts, uint32_t lane_bytes, uint32_t four) {
    constexpr uint32_t row_bytes = warp_size * sizeof(uint32_t);
    char* bytes = reinterpret_cast<char*>(counts);
    for (int k = 0; k < 4; ++k) {
        const uint32_t place = dot(four, row_bytes << (8 * k), lane_bytes);
        atomicAdd(reinterpret_cast<uint32_t*>(bytes + place), 1u);
    }
}
// ANCHOR_END: count_quad

__device__ void count_vector(Replicas& counts, uint32_t lane_bytes, uint4 sixteen) {
    count_quad(counts, lane_bytes, sixteen.x);
    count_quad(counts, lane_bytes, sixteen.y);
    count_quad(counts, lane_bytes, sixteen.z);
    count_quad(counts, lane_bytes, sixteen.w);
}

// Four threads add up the replicas of one level, a quarter each. The eight levels of a warp begin
// at different columns, so that its 32 lanes read 32 banks.
__device__ void add_to_bins(uint32_t* bins, const Replicas& counts) {
    const int quarter = threadIdx.x % 4;
    for (int level = threadIdx.x / 4; level < levels; level += block_size / 4) {
        uint32_t sum = 0;
        for (int k = 0; k < 8; ++k) sum += counts[level][4 * ((k + level) % 8) + quarter];
        sum += __shfl_xor_sync(0xffffffff, sum, 1);
        sum += __shfl_xor_sync(0xffffffff, sum, 2);
        if (quarter == 0 && sum > 0) atomicAdd(&bins[level], sum);
    }
}

__global__ void __launch_bounds__(block_size, blocks)
    histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins, int pixels) {
    __shared__ __align__(16) Replicas counts;
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / group;
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);

    // The first loads are in flight while the counters are zeroed.
    uint4 next[ahead] = {};
    for (int k = 0; k < ahead; ++k)
        if (thread + k * stride < groups) next[k] = vectors[thread + k * stride];
    zero(counts);
    __syncthreads();  // every counter is zero before the first pixel is counted

    const int lane = threadIdx.x % warp_size;
    const uint32_t lane_bytes = lane * sizeof(uint32_t);
    for (int i = thread; i < groups; i += ahead * stride) {
#pragma unroll
        for (int k = 0; k < ahead; ++k) {
            const uint4 sixteen = next[k];
            const int later = i + (ahead + k) * stride;
            if (later < groups) next[k] = vectors[later];
            if (i + k * stride < groups) count_vector(counts, lane_bytes, sixteen);
        }
    }
    // Up to fifteen pixels are left.
    const int i = group * groups + thread;
    if (i < pixels) atomicAdd(&counts[gray[i]][lane], 1u);
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}

__global__ void __launch_bounds__(block_size, blocks)
    gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                          uint32_t* __restrict__ bins, int pixels) {
    __shared__ __align__(16) Replicas counts;
    zero(counts);
    __syncthreads();  // every counter is zero before the first pixel is counted

    const int lane = threadIdx.x % warp_size;
    const uint32_t lane_bytes = lane * sizeof(uint32_t);
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / group;
    for (int i = thread; i < groups; i += stride) {
        const uint4* vectors = reinterpret_cast<const uint4*>(rgb) + 3 * i;
        const uint4 sixteen = gray_vector(vectors[0], vectors[1], vectors[2]);
        reinterpret_cast<uint4*>(gray)[i] = sixteen;
        count_vector(counts, lane_bytes, sixteen);
    }
    const int i = group * groups + thread;
    if (i < pixels) {
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        atomicAdd(&counts[level][lane], 1u);
    }
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}

// `blocks` on each multiprocessor, but no more than the image needs.
int resident_grid(int groups) {
    int device = 0, multiprocessors = 0;
    WORKBOOK_CHECK(cudaGetDevice(&device));
    WORKBOOK_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    return max(1, min(multiprocessors * blocks, ceil_div(groups, block_size)));
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int grid = resident_grid(pixels / group);
    histogram_kernel<<<grid, block_size>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int grid = resident_grid(pixels / group);
    gray_histogram_kernel<<<grid, block_size>>>(rgb, gray, bins, pixels);
}
