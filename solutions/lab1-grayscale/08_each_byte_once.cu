// Rung 8: load each byte once.
//
// Before:   many bytes are requested more than once, and only the cache hides it. A thread's three
//           vectors of the interleaved image lie side by side, so each load of a warp touches three
//           times as many lines as it fills. And where a plane begins between two vectors,
//           neighbouring threads load the same one.
// Change:   the lanes of a warp share their loads. Interleaved: consecutive lanes load consecutive
//           vectors into shared memory, where each lane finds its three without a bank conflict
//           (eight lanes, 12 words apart, cover all 32 banks). Planar: each lane loads one vector
//           of a plane and gets the next one from the lane after it by a shuffle. The warps of a
//           block share nothing, so blocks are small.
// Expected: a percent either way where a cache hid the repetition, a gain where it did not.
#include "workbook.cuh"

constexpr int block_size = 128;  // tune: 32 64 128 256 512
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

// Dark gray: 90 R + 177 G + 33 B + 250 five-hundredths, divided by 500. Here 2^24 / 500 is rounded
// down, and the offset, just below one five-hundredth, makes up for it: exact for every sum up to
// 76750.
constexpr uint32_t dark_weights = 90 | 177 << 8 | 33 << 16;
constexpr uint32_t dark_scale = 33554;
constexpr uint32_t dark_offset = 33387;

__device__ uint32_t scaled_dark_gray(uint32_t pixel) {
    return dot(pixel, dark_weights, 250) * dark_scale + dark_offset;
}

// Four bytes of each plane to four gray bytes: the planes are woven into pixels first.
__device__ uint32_t dark_gray_quad(uint32_t red, uint32_t green, uint32_t blue) {
    const uint32_t low = __byte_perm(red, green, 0x5140);   // R G R G of pixels 0 and 1
    const uint32_t high = __byte_perm(red, green, 0x7362);  // R G R G of pixels 2 and 3
    return pack_top_bytes(scaled_dark_gray(__byte_perm(low, blue, 0x0410)),
                          scaled_dark_gray(__byte_perm(low, blue, 0x0532)),
                          scaled_dark_gray(__byte_perm(high, blue, 0x0610)),
                          scaled_dark_gray(__byte_perm(high, blue, 0x0732)));
}

// One pixel on its own.
__device__ uint8_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return scaled_gray(red | green << 8 | blue << 16) >> 24;
}

__device__ uint8_t dark_gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return scaled_dark_gray(red | green << 8 | blue << 16) >> 24;
}

// ANCHOR: kernel
// Warps 0 to chunks - 1 take a chunk each; the threads after them take one pixel each.
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int chunks, int pixels) {
    __shared__ uint4 staged[warps][3 * warp_size];
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
        return;
    }
    const int i = chunk * chunks + (thread - warp_size * chunks);
    if (i < pixels) gray[i] = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}
// ANCHOR_END: kernel

// What a lane loads of a plane: its own vector, and the last lane the one after it as well.
struct Loaded {
    uint4 own, beyond;
};

// A plane may begin at any offset of a buffer that itself begins at a vector.
__device__ Loaded load_vectors(const uint8_t* buffer, int offset, int lane) {
    const uint4* vectors = reinterpret_cast<const uint4*>(buffer) + offset / 16;
    const bool needs_next = offset % 16 != 0 && lane == warp_size - 1;
    // All loads of a warp leave before the first result is needed.
    return {vectors[0], needs_next ? vectors[1] : uint4()};
}

__device__ uint4 from_next_lane(uint4 value) {
    constexpr uint32_t all = 0xffffffff;
    return make_uint4(__shfl_down_sync(all, value.x, 1), __shfl_down_sync(all, value.y, 1),
                      __shfl_down_sync(all, value.z, 1), __shfl_down_sync(all, value.w, 1));
}

// The sixteen bytes that begin `skipped` bytes into a lane's own vector: moved down by 8, by 4 and
// by 0 to 3 bytes. `skipped` is the same for all threads, so no warp diverges.
__device__ uint4 aligned(Loaded loaded, int skipped, int lane) {
    uint4 low = loaded.own;
    if (skipped == 0) return low;
    uint4 high = from_next_lane(low);
    if (lane == warp_size - 1) high = loaded.beyond;
    if (skipped & 8) {
        low = make_uint4(low.z, low.w, high.x, high.y);
        high = make_uint4(high.z, high.w, 0, 0);
    }
    if (skipped & 4) {
        low = make_uint4(low.y, low.z, low.w, high.x);
        high.x = high.y;
    }
    const int shift = 8 * (skipped % 4);
    return make_uint4(__funnelshift_r(low.x, low.y, shift), __funnelshift_r(low.y, low.z, shift),
                      __funnelshift_r(low.z, low.w, shift), __funnelshift_r(low.w, high.x, shift));
}

__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int chunks, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < warp_size * chunks) {
        const int lane = threadIdx.x % warp_size;
        const int first = group * thread;
        const uint4 red = reinterpret_cast<const uint4*>(planar_rgb)[thread];
        const Loaded greens = load_vectors(planar_rgb, pixels + first, lane);
        const Loaded blues = load_vectors(planar_rgb, 2 * pixels + first, lane);
        const uint4 green = aligned(greens, pixels % 16, lane);
        const uint4 blue = aligned(blues, 2 * pixels % 16, lane);
        reinterpret_cast<uint4*>(gray)[thread] = make_uint4(
            dark_gray_quad(red.x, green.x, blue.x), dark_gray_quad(red.y, green.y, blue.y),
            dark_gray_quad(red.z, green.z, blue.z), dark_gray_quad(red.w, green.w, blue.w));
        return;
    }
    const int i = chunk * chunks + (thread - warp_size * chunks);
    if (i < pixels)
        gray[i] = dark_gray_of(planar_rgb[i], planar_rgb[pixels + i], planar_rgb[2 * pixels + i]);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const int chunks = pixels / chunk;
    const int threads = warp_size * chunks + pixels % chunk;
    grayscale_kernel<<<ceil_div(threads, block_size), block_size>>>(rgb, gray, chunks, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    // Where the planes are not aligned, the last lane of a chunk needs up to 15 bytes after it.
    int chunks = pixels / chunk;
    if (pixels % group != 0 && pixels % chunk < group && chunks > 0) chunks -= 1;
    const int threads = warp_size * chunks + (pixels - chunk * chunks);
    grayscale_darken_kernel<<<ceil_div(threads, block_size), block_size>>>(planar_rgb, gray, chunks,
                                                                           pixels);
}
