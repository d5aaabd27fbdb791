// family: warp shuffles
// style: over-engineered: a warp reads 96 adjacent words and hands them to their pixels by shuffles
// expected bottleneck: shuffles and selects; memory requests are perfectly coalesced
#include "workbook.cuh"

constexpr unsigned everyone = 0xffffffffu;
constexpr int warp_pixels = 128;

// Word number `index` (0..95) of the 96 words that the warp holds, three per lane.
__device__ uint32_t fetch(const uint32_t (&word)[3], int index) {
    uint32_t a = __shfl_sync(everyone, word[0], index & 31);
    uint32_t b = __shfl_sync(everyone, word[1], index & 31);
    uint32_t c = __shfl_sync(everyone, word[2], index & 31);
    return index < 32 ? a : index < 64 ? b : c;
}

__device__ uint32_t luma(uint32_t r, uint32_t g, uint32_t b) {
    return __float2uint_rd(0.3f * r + 0.59f * g + 0.11f * b + 0.5f);
}

__global__ void gray_warps(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                           int pixels) {
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int first = warp * warp_pixels;
    if (first >= pixels) return;
    if (first + warp_pixels > pixels) {
        for (int i = first + lane; i < pixels; i += 32)
            gray[i] = luma(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        return;
    }
    const uint32_t* from = (const uint32_t*)(rgb + 3 * (size_t)first);
    uint32_t word[3];
    for (int k = 0; k < 3; k++) word[k] = from[32 * k + lane];
    uint32_t a = fetch(word, 3 * lane), b = fetch(word, 3 * lane + 1), c = fetch(word, 3 * lane + 2);
    uint32_t p0 = luma(a & 255, (a >> 8) & 255, (a >> 16) & 255);
    uint32_t p1 = luma(a >> 24, b & 255, (b >> 8) & 255);
    uint32_t p2 = luma((b >> 16) & 255, b >> 24, c & 255);
    uint32_t p3 = luma((c >> 8) & 255, (c >> 16) & 255, c >> 24);
    ((uint32_t*)(gray + first))[lane] = p0 | (p1 << 8) | (p2 << 16) | (p3 << 24);
}

// Each lane computes four pixels 32 apart; shuffles bring four neighbours to the lane that stores them.
__global__ void dark_warps(const uint8_t* __restrict__ planes, uint8_t* __restrict__ gray,
                           int pixels) {
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int first = warp * warp_pixels;
    uint32_t level[4];
    for (int k = 0; k < 4; k++) {
        int i = first + 32 * k + lane;
        float v = 0;
        if (i < pixels)
            v = 0.3f * planes[i] + 0.59f * planes[pixels + i] + 0.11f * planes[2 * pixels + i];
        level[k] = (uint32_t)(v * 0.6f + 0.5f);
    }
    uint32_t packed = level[0] | (level[1] << 8) | (level[2] << 16) | (level[3] << 24);
    uint32_t word = 0;
    for (int k = 0; k < 4; k++) {
        uint32_t other = __shfl_sync(everyone, packed, (4 * lane + k) & 31);
        word |= ((other >> (8 * (lane >> 3))) & 255) << (8 * k);
    }
    int at = first + 4 * lane;
    if (at + 4 <= pixels) {
        *(uint32_t*)(gray + at) = word;
    } else {
        for (int k = 0; k < 4 && at + k < pixels; k++) gray[at + k] = word >> (8 * k);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height;
    gray_warps<<<ceil_div(ceil_div(pixels, warp_pixels), 4), 128>>>(rgb, gray, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height;
    dark_warps<<<ceil_div(ceil_div(pixels, warp_pixels), 4), 128>>>(planar_rgb, gray, pixels);
}
