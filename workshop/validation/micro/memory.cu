// Bandwidth and latency of DRAM, L2 and L1, and arrays of a thread's own.

typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void nothing(u32*, u64, u32, u32) {}

// Each thread reads 16 bytes of the part of this number; parts begin `apart` words from each other.
extern "C" __global__ void read_part(u32* data, u64 words, u32 number, u32 apart) {
    const u64 first = static_cast<u64>(number) * apart;
    const uint4* vectors = reinterpret_cast<const uint4*>(data + (first < words ? first : 0));
    const uint4 four = __ldcg(vectors + blockIdx.x * blockDim.x + threadIdx.x);
    if ((four.x ^ four.y ^ four.z ^ four.w) == 0x1234567) data[0] = four.x;
}

// Reads `words` words `rounds` times, 16 bytes a lane.
extern "C" __global__ void read_all(u32* data, u64 words, u32 rounds, u32) {
    const uint4* vectors = reinterpret_cast<const uint4*>(data);
    const u64 stride = static_cast<u64>(gridDim.x) * blockDim.x;
    u32 sum = 0;
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll 4
        for (u64 i = blockIdx.x * static_cast<u64>(blockDim.x) + threadIdx.x; i < words / 4; i += stride) {
            const uint4 four = __ldcg(vectors + i);
            sum += four.x ^ four.y ^ four.z ^ four.w;
        }
    if (sum == 0x1234567) data[0] = sum;
}

extern "C" __global__ void write_all(u32* data, u64 words, u32 rounds, u32 value) {
    uint4* vectors = reinterpret_cast<uint4*>(data);
    const u64 stride = static_cast<u64>(gridDim.x) * blockDim.x;
    for (u32 round = 0; round < rounds; ++round)
        for (u64 i = blockIdx.x * static_cast<u64>(blockDim.x) + threadIdx.x; i < words / 4; i += stride)
            vectors[i] = make_uint4(value, round, value, round);
}

// The first half to the second.
extern "C" __global__ void copy_half(u32* data, u64 words, u32 rounds, u32) {
    uint4* vectors = reinterpret_cast<uint4*>(data);
    const u64 stride = static_cast<u64>(gridDim.x) * blockDim.x, half = words / 8;
    for (u32 round = 0; round < rounds; ++round)
        for (u64 i = blockIdx.x * static_cast<u64>(blockDim.x) + threadIdx.x; i < half; i += stride)
            vectors[half + i] = vectors[i];
}

// Word i leads to word i + step, so that chase() visits all.
extern "C" __global__ void link(u32* data, u64 words, u32 rounds, u32 step) {
    const u64 stride = static_cast<u64>(gridDim.x) * blockDim.x;
    for (u64 i = blockIdx.x * static_cast<u64>(blockDim.x) + threadIdx.x; i < words; i += stride)
        data[i] = static_cast<u32>((i + step) % words);
}

// One load after the other, past the L1.
extern "C" __global__ void chase(u32* data, u64 words, u32 rounds, u32 step) {
    u32 at = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) at = __ldcg(data + at);
    if (at == step + 1) data[0] = at;
}

// The same through the L1.
extern "C" __global__ void chase_near(u32* data, u64 words, u32 rounds, u32 step) {
    u32 at = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) at = __ldca(data + at);
    if (at == step + 1) data[0] = at;
}

// The same through a texture of these words.
extern "C" __global__ void texture_chase(u32* data, u64 words, u32 rounds, u32 step, u64 object) {
    u32 at = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) at = tex1Dfetch<u32>(object, at);
    if (at == step + 1) data[0] = at;
}

// Loads that hit the L1, lanes `stride` words apart.
extern "C" __global__ void near_loads(u32* data, u64 words, u32 rounds, u32 stride) {
    const u32 mask = static_cast<u32>(words) - 1;
    const u32 lane = threadIdx.x % 32 * stride;
    u32 sum = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) sum += __ldca(data + (lane + (k ^ round) * 32 & mask));
    if (sum == 0x1234567) data[0] = sum;
}

// An array of each thread's own, in local memory because its index is not known: read, add, write.
extern "C" __global__ void own_array(u32* data, u64 words, u32 rounds, u32 seed) {
    u32 own[64];
    for (u32 k = 0; k < 64; ++k) own[k] = seed + k;
    u32 at = threadIdx.x * (seed | 1);
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) {
        at = at * 5 + 1;
        own[at >> 4 & 63] += round;
    }
    u32 sum = 0;
    for (u32 k = 0; k < 64; ++k) sum += own[k];
    if (sum == 0x1234567) data[0] = sum;
}

// One load of it after the other. What is stored, 0, leads to the same word again; the compiler cannot know.
extern "C" __global__ void own_chase(u32* data, u64 words, u32 rounds, u32 seed) {
    u32 own[64];
    for (u32 k = 0; k < 64; ++k) own[k] = data[k & 7];
    u32 at = threadIdx.x & 63;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) at = own[at];
    if (at == seed + 100) data[0] = at;
}

// Bytes, one after the other: 0, which leads to the first byte again.
extern "C" __global__ void byte_chase(u32* data, u64 words, u32 rounds, u32 seed) {
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(data);
    u32 at = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) at = __ldca(bytes + at);
    if (at == seed + 300) data[0] = at;
}

// The same in a picture: the byte read is the next row and column.
extern "C" __global__ void picture_chase(u32* data, u64 words, u32 rounds, u32 width) {
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(data);
    int at = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) at = __ldca(bytes + (at * static_cast<int>(width) + at));
    if (at == width + 300) data[0] = at;
}

// Bytes one after the other from the L1, lanes `apart` words from each other: 0, which leads to the first again. With `stores`, every
// lane stores a byte before each, the next one of a row of its own that lies as far from its neighbour's.
template <bool stores>
__device__ void chase_bytes(u32* data, u64 words, u32 rounds, u32 apart) {
    unsigned char* bytes = reinterpret_cast<unsigned char*>(data) + threadIdx.x * apart * 4;
    const u32 half = static_cast<u32>(words) * 2;
    u32 next = 0, at = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) {
            if (stores) asm volatile("st.global.u8 [%0], %1;" ::"l"(bytes + (half + next)), "r"(0) : "memory");
            asm volatile("ld.global.ca.u8 %0, [%1];" : "=r"(at) : "l"(bytes + at) : "memory");
            next = next + 1 & 2047;
        }
    if (at == 1) data[0] = next;
}

extern "C" __global__ void chase_rows(u32* data, u64 words, u32 rounds, u32 apart) {
    chase_bytes<false>(data, words, rounds, apart);
}

extern "C" __global__ void chase_rows_behind_stores(u32* data, u64 words, u32 rounds, u32 apart) {
    chase_bytes<true>(data, words, rounds, apart);
}

// Fences of the whole GPU one after the other; with `stores`, behind a word that every lane has stored, `stores` words from its
// neighbour's.
extern "C" __global__ void fences(u32* data, u64 words, u32 rounds, u32 stores) {
    const u32 mask = static_cast<u32>(words) - 1;
    u32 next = threadIdx.x * stores;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 16; ++k) {
            if (stores > 0) asm volatile("st.global.u32 [%0], %1;" ::"l"(data + (next & mask)), "r"(round) : "memory");
            __threadfence();
            next += 32 * stores;
        }
}
