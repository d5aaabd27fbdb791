// What goes beyond the first-level cache: arrays of a thread's own that fit nowhere, sectors here
// and there, stores that join, blocks that all read the same, and few loads at a time.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ u32 first_state(u32 seed) { return (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + seed; }
__device__ u32 next_state(u32 state) { return state * 1664525u + 1013904223u; }

// A kibibyte of each thread's own: a word anywhere in it is read, added to and written.
extern "C" __global__ void __launch_bounds__(128, 16) own_kibibyte(u32* data, u64 words, u32 rounds, u32 seed) {
    u32 own[256];
#pragma unroll 1
    for (u32 k = 0; k < 256; ++k) own[k] = seed + k;
    u32 state = first_state(seed);
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) {
        state = next_state(state);
        own[state >> 20 & 255] += round;
    }
    u32 sum = 0;
#pragma unroll 4
    for (u32 k = 0; k < 256; ++k) sum += own[k];
    if (sum == 0x1234567) data[0] = sum;
}

// 32 words of each thread's own, stored in turn: a whole line for each store of a warp.
extern "C" __global__ void __launch_bounds__(256, 8) store_own_words(u32* data, u64 words, u32 rounds, u32 seed) {
    u32 own[32];
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) own[round + seed & 31] = round;
    if (rounds == 0x1234567) data[0] = own[seed & 31];
}

// A byte in each of 32 rows of 4096 bytes, and in the next round the byte beside: warps of eight side by side.
extern "C" __global__ void __launch_bounds__(256, 8) store_down_columns(u32* data, u64 words, u32 rounds, u32 seed) {
    u8* bytes = reinterpret_cast<u8*>(data);
    const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
#pragma unroll 4
    for (u32 round = 0; round < rounds; ++round) {
        const u64 step = warp / 8 * static_cast<u64>(rounds) + round;
        const u64 at = (step * 8 / 4096 * 32 + lane) * 4096 + step * 8 % 4096 + warp % 8;
        bytes[at & 4 * words - 1] = static_cast<u8>(round + seed);
    }
}

// A word of the buffer anywhere, of each lane: loaded, stored, or both.
#define ANYWHERE(name, use)                                                                               \
    extern "C" __global__ void __launch_bounds__(256, 8)                                                  \
        name(u32* data, u64 words, u32 rounds, u32 seed) {                                                \
        u64 state = (blockIdx.x * static_cast<u64>(blockDim.x) + threadIdx.x) * 0x9e3779b97f4a7c15ull + seed; \
        u32 sum = 0;                                                                                      \
        _Pragma("unroll 4") for (u32 round = 0; round < rounds; ++round) {                                \
            state = state * 6364136223846793005ull + 1442695040888963407ull;                              \
            const u64 at = state >> 33 & (words - 1);                                                     \
            use;                                                                                          \
        }                                                                                                 \
        if (sum == 0x1234567) data[0] = sum;                                                              \
    }

ANYWHERE(load_anywhere, sum += __ldcg(data + at))
ANYWHERE(store_anywhere, data[at] = round)
ANYWHERE(change_anywhere, data[at] = __ldcg(data + at) + round)

// Each lane stores neighbouring bytes one by one, eight bytes to a lane; every round elsewhere. With loads, one lies between
// two stores.
__device__ void store_byte(u8* at, u32 value) {
    asm volatile("st.global.u8 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

#define STORES(name, count, loads)                                                                        \
    extern "C" __global__ void __launch_bounds__(64, 32)                                                  \
        name(u32* data, u64 words, u32 rounds, u32 value) {                                               \
        u8* bytes = reinterpret_cast<u8*>(data);                                                          \
        const u32 warps = gridDim.x * blockDim.x / 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32; \
        const u32 lane = threadIdx.x % 32;                                                                \
        _Pragma("unroll 1") for (u32 round = 0; round < rounds; ++round) {                                \
            u8* at = bytes + ((round * warps + warp) * 256ull & (4 * words - 1)) + 8 * lane;              \
            _Pragma("unroll") for (u32 k = 0; k < count; ++k) {                                           \
                u32 loaded = 0;                                                                           \
                if (loads) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(loaded) : "l"(data + lane)); \
                store_byte(at + k, value + loaded);                                                       \
            }                                                                                             \
        }                                                                                                 \
    }

STORES(stores_of_1, 1, false)
STORES(stores_of_2, 2, false)
STORES(stores_of_4, 4, false)
STORES(stores_of_8, 8, false)
STORES(stores_of_8_and_loads, 8, true)

// Every block reads the whole buffer; with `apart`, each begins elsewhere.
extern "C" __global__ void __launch_bounds__(256, 8) read_by_all(u32* data, u64 words, u32 rounds, u32 apart) {
    const uint4* vectors = reinterpret_cast<const uint4*>(data);
    const u32 count = static_cast<u32>(words / 4), start = apart * (blockIdx.x * (count / gridDim.x / 256) * 256);
    u32 sum = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll 1
        for (u32 i = threadIdx.x; i < count; i += 256) {
            const uint4 four = vectors[start + i < count ? start + i : start + i - count];
            sum += four.x ^ four.y ^ four.z ^ four.w;
        }
    if (sum == 0x1234567) data[0] = sum;
}

// A warp a block. In each round every lane loads a byte at so many places, a quarter of the buffer
// apart and past the L1: beside what the other blocks load, behind what all loaded a round before.
// All bytes are 0, and the next round waits for them. In the last quarter stands where the launch
// before stopped: of a large buffer nothing is loaded twice.
template <u32 places>
__device__ void load_places(u32* data, u64 words, u32 rounds) {
    static_assert(places < 4, "the last quarter is not for loads");
    const u8* bytes = reinterpret_cast<const u8*>(data);
    const u32 mask = static_cast<u32>(words) - 1, step = gridDim.x * blockDim.x;
    const u32 own = blockIdx.x * blockDim.x + threadIdx.x;
    u32* stopped = data + words / 4 * 3 + blockIdx.x;
    u32 at = *stopped + own & mask, value = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) {
        const u8* first = bytes + (at + value);
        value = 0;
#pragma unroll
        for (u32 k = 0; k < places; ++k) value += __ldcg(first + k * words);
        at = at + step & mask;
    }
    *stopped = at - own + value;
}

extern "C" __global__ void load_1_place(u32* data, u64 words, u32 rounds, u32) {
    load_places<1>(data, words, rounds);
}

extern "C" __global__ void load_3_places(u32* data, u64 words, u32 rounds, u32) {
    load_places<3>(data, words, rounds);
}
