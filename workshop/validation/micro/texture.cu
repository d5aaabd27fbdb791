// Fetches through textures and surfaces: from a picture of 128 by 64 texels, which the cache keeps, and one after the other.

typedef unsigned int u32;
typedef unsigned long long u64;

// Sixteen fetches a round. Lanes lie in rows of `row` texels, below one another; 0: scattered.
#define FETCHES(name, part, value)                                                                 \
    extern "C" __global__ void name(u32* data, u64 words, u32 rounds, u32 row, u64 object) {       \
        const u32 lane = threadIdx.x % 32, random = (threadIdx.x + 1) * 2654435761u;               \
        const u32 column = row == 0 ? random >> 26 : lane % row;                                   \
        const u32 line = row == 0 ? random >> 20 & 63 : lane / row;                                \
        part sum = 0;                                                                              \
        _Pragma("unroll 1") for (u32 round = 0; round < rounds; ++round) {                         \
            const u32 y = line + round & 63;                                                       \
            _Pragma("unroll") for (u32 k = 0; k < 16; ++k) { sum += value; }                       \
        }                                                                                          \
        if (sum == static_cast<part>(0x1234567)) data[0] = 1;                                      \
    }

__device__ u32 all_of(uchar4 four) { return four.x + four.y + four.z + four.w; }

FETCHES(texture_bytes, u32, tex2D<unsigned char>(object, column + k + 0.5f, y + 0.5f))
FETCHES(texture_words, u32, tex2D<u32>(object, column + k + 0.5f, y + 0.5f))
FETCHES(texture_fours, u32, all_of(tex2D<uchar4>(object, column + k + 0.5f, y + 0.5f)))
FETCHES(texture_floats, float, tex2D<float>(object, column + k + 0.75f, y + 0.75f))
FETCHES(surface_bytes, u32, surf2Dread<unsigned char>(object, column + k, y))
FETCHES(surface_words, u32, surf2Dread<u32>(object, 4 * (column + k), y))

// From plain memory, lanes so many quarters of a word apart; 0: scattered.
extern "C" __global__ void texture_line(u32* data, u64 words, u32 rounds, u32 quarters, u64 object) {
    const u32 lane = threadIdx.x % 32, random = (threadIdx.x + 1) * 2654435761u;
    const u32 first = quarters == 0 ? random >> 21 : lane * quarters / 4;
    u32 sum = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k)
            sum += tex1Dfetch<u32>(object, first + (k ^ round) * 32 & static_cast<u32>(words) - 1);
    if (sum == 0x1234567) data[0] = sum;
}

// One fetch after the other in a picture of zeros, which lead to the first texel again.
extern "C" __global__ void picture_texture_chase(u32* data, u64 words, u32 rounds, u32 seed, u64 object) {
    float at = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) at = tex2D<float>(object, at, at);
    if (at == seed) data[0] = 1;
}

extern "C" __global__ void picture_surface_chase(u32* data, u64 words, u32 rounds, u32 seed, u64 object) {
    u32 at = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) at = surf2Dread<u32>(object, at, at);
    if (at == seed) data[0] = 1;
}
