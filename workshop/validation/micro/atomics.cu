// Atomics on global memory: the same word, few words, many; scattered or side by side.

typedef unsigned int u32;
typedef unsigned long long u64;

// Every lane a random word of `words`.
#define SCATTERED(name, type, operation)                                                           \
    extern "C" __global__ void name(u32* data, u64 words, u32 rounds, u32 seed) {                  \
        u32 random = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + seed;                 \
        const type value = static_cast<type>(seed % 3 + 1);                                        \
        type* counts = reinterpret_cast<type*>(data);                                              \
        type old = 0;                                                                              \
        _Pragma("unroll 1") for (u32 round = 0; round < rounds; ++round) {                         \
            random = random * 1664525u + 1013904223u;                                              \
            type* at = counts + (random >> 8) % static_cast<u32>(words);                           \
            operation;                                                                             \
        }                                                                                          \
        if (old == static_cast<type>(0x1234567)) data[0] = 1;                                      \
    }

SCATTERED(scattered_adds, u32, atomicAdd(at, value))
SCATTERED(scattered_adds_returning, u32, old += atomicAdd(at, value))
SCATTERED(scattered_float_adds, float, atomicAdd(at, value))

// Lane i the word after lane i - 1's; where the warp begins goes round `words`, `apart` words further each time.
extern "C" __global__ void row_adds(u32* data, u64 words, u32 rounds, u32 apart) {
    const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    u32 first = warp * 32 % static_cast<u32>(words);
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) {
        atomicAdd(data + (first + lane) % static_cast<u32>(words), apart);
        first = (first + apart) % static_cast<u32>(words);
    }
}

// The same once, in launch after launch.
extern "C" __global__ void rows_at_the_end(u32* data, u64 words, u32 launch, u32 apart) {
    atomicAdd(data + (blockIdx.x * blockDim.x + threadIdx.x) % static_cast<u32>(words), apart + launch);
}

// Lanes 0 to `lanes` - 1 of each warp, each a word of its own, the same words for all warps.
extern "C" __global__ void same_row_adds(u32* data, u64 words, u32 rounds, u32 lanes) {
    const u32 lane = threadIdx.x % 32;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
        if (lane < lanes) atomicAdd(data + lane % static_cast<u32>(words), lanes);
}

// All lanes, `distinct` words, 8 of them a sector.
extern "C" __global__ void meeting_adds(u32* data, u64 words, u32 rounds, u32 distinct) {
    const u32 lane = threadIdx.x % 32;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) atomicAdd(data + lane % distinct, lane + round);
}

extern "C" __global__ void meeting_float_adds(u32* data, u64 words, u32 rounds, u32 distinct) {
    const u32 lane = threadIdx.x % 32;
    float* sums = reinterpret_cast<float*>(data);
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) atomicAdd(sums + lane % distinct, 1.0f);
}

// One after the other: 0 is added to 0, which leads to the same word again.
extern "C" __global__ void atomic_chase(u32* data, u64 words, u32 rounds, u32 seed) {
    const u32 nothing = rounds == 0;
    u32 at = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) at = atomicAdd(data + at + threadIdx.x, nothing);
    if (at == seed + 1) data[0] = at;
}

// Lane 0 of each warp adds to one word.
extern "C" __global__ void one_lane_float_adds(u32* data, u64 words, u32 rounds, u32 seed) {
    float* sums = reinterpret_cast<float*>(data);
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
        if (threadIdx.x % 32 == 0) atomicAdd(sums, 1.0f);
}

// One lane of each warp adds to a word of its own warp's choice, `apart` words from the next warp's.
extern "C" __global__ void one_lane_adds(u32* data, u64 words, u32 rounds, u32 apart) {
    const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
        if (threadIdx.x % 32 == 0)
            atomicAdd(data + (warp + round) * apart % static_cast<u32>(words), round + 1);
}
