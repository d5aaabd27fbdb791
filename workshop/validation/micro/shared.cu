// Shared memory: wavefronts, atomics, barriers.

typedef unsigned int u32;
typedef unsigned long long u64;

constexpr u32 words_here = 1024;

// Loads whose lanes are `stride` words apart.
extern "C" __global__ void shared_loads(u32* data, u64 words, u32 rounds, u32 stride) {
    __shared__ u32 values[words_here];
    for (u32 i = threadIdx.x; i < words_here; i += blockDim.x) values[i] = i;
    __syncthreads();
    const u32 lane = threadIdx.x % 32 * stride;
    u32 sum = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) sum += values[lane + (k ^ round) * 33 & words_here - 1];
    if (sum == 0x1234567) data[0] = sum;
}

extern "C" __global__ void shared_stores(u32* data, u64 words, u32 rounds, u32 stride) {
    __shared__ u32 values[words_here];
    const u32 lane = threadIdx.x % 32 * stride;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k)
            *const_cast<volatile u32*>(&values[lane + (k ^ round) * 33 & words_here - 1]) = round;
    __syncthreads();
    if (values[threadIdx.x] == 0x1234567) data[0] = 1;
}

// One atomic after the other: 0 is added to 0, which leads to the same word again.
extern "C" __global__ void shared_add_chase(u32* data, u64 words, u32 rounds, u32 seed) {
    __shared__ u32 values[words_here];
    for (u32 i = threadIdx.x; i < words_here; i += blockDim.x) values[i] = 0;
    __syncthreads();
    const u32 nothing = rounds == 0;
    u32 at = threadIdx.x;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) at = atomicAdd(values + at + threadIdx.x, nothing);
    if (at == words_here + 1) data[0] = at;
}

// One load after the other.
extern "C" __global__ void shared_chase(u32* data, u64 words, u32 rounds, u32 step) {
    __shared__ u32 values[words_here];
    for (u32 i = threadIdx.x; i < words_here; i += blockDim.x) values[i] = (i + step) % words_here;
    __syncthreads();
    u32 at = threadIdx.x;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) at = values[at];
    if (at == words_here + 1) data[0] = at;
}

// Each warp in 32 words of its own, `distinct` of them used by its lanes.
#define ATOMIC(name, type, operation)                                                              \
    extern "C" __global__ void name(u32* data, u64 words, u32 rounds, u32 distinct) {              \
        __shared__ type counts[words_here];                                                        \
        for (u32 i = threadIdx.x; i < words_here; i += blockDim.x) counts[i] = 0;                  \
        __syncthreads();                                                                           \
        const u32 lane = threadIdx.x % 32;                                                         \
        type* own = counts + threadIdx.x / 32 * 32 + lane % distinct;                              \
        type old = 0;                                                                              \
        const type value = static_cast<type>(rounds % 7 + lane % 2);                               \
        _Pragma("unroll 1") for (u32 round = 0; round < rounds; ++round)                           \
            _Pragma("unroll") for (u32 k = 0; k < 16; ++k) { operation; }                          \
        __syncthreads();                                                                           \
        if (counts[threadIdx.x] + old == static_cast<type>(0x1234567)) data[0] = 1;                \
    }

ATOMIC(shared_increments, u32, atomicAdd(own, 1u))
ATOMIC(shared_adds, u32, atomicAdd(own, value))
ATOMIC(shared_adds_returning, u32, old += atomicAdd(own, value))
ATOMIC(shared_float_adds, float, atomicAdd(own, value))

// Each lane a word of its own, `apart` words from the next lane's; no other warp changes it.
extern "C" __global__ void shared_float_adds_apart(u32* data, u64 words, u32 rounds, u32 apart) {
    __shared__ float counts[words_here];
    for (u32 i = threadIdx.x; i < words_here; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    const u32 warp = threadIdx.x / 32 * (apart < 8 ? 64 : 1);
    float* own = counts + (threadIdx.x % 32 * apart + warp) % words_here;
    const float value = static_cast<float>(rounds % 7);
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) atomicAdd(own, value);
    __syncthreads();
    if (counts[threadIdx.x] == 0x1234567) data[0] = 1;
}

// A whole warp's additions to random words of one table for the block, as a histogram makes them.
extern "C" __global__ void shared_float_histogram(u32* data, u64 words, u32 rounds, u32 levels) {
    __shared__ float counts[words_here];
    for (u32 i = threadIdx.x; i < words_here; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    u32 random = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
    const float value = static_cast<float>(rounds % 7);
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) {
            random = random * 1664525u + 1013904223u;
            atomicAdd(counts + (random >> 16 & levels - 1), value);
        }
    __syncthreads();
    if (counts[threadIdx.x] == 0x1234567) data[0] = 1;
}

// The same of increments.
extern "C" __global__ void shared_histogram(u32* data, u64 words, u32 rounds, u32 levels) {
    __shared__ u32 counts[words_here];
    for (u32 i = threadIdx.x; i < words_here; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    u32 random = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) {
            random = random * 1664525u + 1013904223u;
            atomicAdd(counts + (random >> 16 & levels - 1), 1u);
        }
    __syncthreads();
    if (counts[threadIdx.x] == 0x1234567) data[0] = 1;
}

extern "C" __global__ void barriers(u32* data, u64 words, u32 rounds, u32 seed) {
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) __syncthreads();
    if (seed == 0x1234567) data[0] = 1;
}
