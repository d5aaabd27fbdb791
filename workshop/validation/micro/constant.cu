// What constant memory takes when lanes ask for different words, in tables of several sizes.

typedef unsigned int u32;
typedef unsigned long long u64;

__constant__ u32 table[8192];

// Loads whose lanes ask for `distinct` words side by side, in 2 KiB.
extern "C" __global__ void constant_loads(u32* data, u64 words, u32 rounds, u32 distinct) {
    const u32 lane = threadIdx.x % 32 * distinct / 32;
    u32 sum = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) sum += table[lane + (k ^ round & 15) * 32];
    if (sum == 0x1234567) data[0] = sum;
}

// Loads whose lanes ask for so many words (low byte of `shape`) scattered over a table of 2^n words (second byte), or over three
// such tables in turn (third byte not 0). The factor is odd, so that different lanes ask for different words.
extern "C" __global__ void constant_scattered(u32* data, u64 words, u32 rounds, u32 shape) {
    const u32 distinct = shape & 255, mask = (1u << (shape >> 8 & 255)) - 1, next = shape >> 16 ? mask + 1 : 0;
    const u32 lane = threadIdx.x % 32 * distinct / 32 * 2533;
    u32 random = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 2654435761u, sum = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) {
            random = random * 1664525u + 1013904223u;
            sum += table[((random >> 8) + lane & mask) + k % 3 * next];
        }
    if (sum == 0x1234567) data[0] = sum;
}

// One load after the other; all words are 0.
extern "C" __global__ void constant_chase(u32* data, u64 words, u32 rounds, u32 seed) {
    u32 at = threadIdx.x / 32;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) at = table[at];
    if (at == seed + 1) data[0] = at;
}

// The same through so many words (low half of `shape`), a step (high half) apart: an addition and a mask more.
extern "C" __global__ void constant_walk(u32* data, u64 words, u32 rounds, u32 shape) {
    const u32 mask = (shape & 0xffff) - 1, step = shape >> 16;
    u32 at = threadIdx.x / 32;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) at = table[at] + at + step & mask;
    if (at == mask + 1) data[0] = at;
}
