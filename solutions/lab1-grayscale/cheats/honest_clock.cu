// expect: full points grayscale
// honest: one thread notes how many cycles its block took.
#include "workbook.cuh"

constexpr int block_size = 128;
constexpr int group = 16;  // pixels per thread
constexpr int warp_size = 32;
constexpr int warps = block_size / warp_size;
constexpr int chunk = warp_size * group;  // pixels per warp
static_assert(block_size % warp_size == 0, "a warp is in one block");

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

// One pixel on its own.
__device__ uint8_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return scaled_gray(red | green << 8 | blue << 16) >> 24;
}

__device__ long long cycles_of_a_block;

// Warps 0 to chunks - 1 take a chunk each; the threads after them take one pixel each.
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int chunks, int pixels) {
    __shared__ uint4 staged[warps][3 * warp_size];
    const long long start = clock64();
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % warp_size;
    const int number = thread / warp_size;
    if (number < chunks) {
        const uint4* source = reinterpret_cast<const uint4*>(rgb) + 3 * warp_size * number;
        uint4* mine = staged[threadIdx.x / warp_size];
        for (int k = 0; k < 3; ++k) mine[k * warp_size + lane] = source[k * warp_size + lane];
        __syncwarp();  // all vectors of this warp's chunk are in shared memory
        const uint4 a = mine[3 * lane], b = mine[3 * lane + 1], c = mine[3 * lane + 2];
        reinterpret_cast<uint4*>(gray)[warp_size * number + lane] =
            make_uint4(gray_quad(a.x, a.y, a.z), gray_quad(a.w, b.x, b.y), gray_quad(b.z, b.w, c.x),
                       gray_quad(c.y, c.z, c.w));
        if (thread == 0) cycles_of_a_block = clock64() - start;
        return;
    }
    const int i = chunk * chunks + (thread - warp_size * chunks);
    if (i < pixels) gray[i] = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const int chunks = pixels / chunk;
    const int threads = warp_size * chunks + pixels % chunk;
    grayscale_kernel<<<ceil_div(threads, block_size), block_size>>>(rgb, gray, chunks, pixels);
}
