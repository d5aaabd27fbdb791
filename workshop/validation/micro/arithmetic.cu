// What a multiprocessor executes a cycle, class by class: enough warps, and in each four chains of instructions that do
// not depend on one another. `seed` keeps the compiler from knowing any value; the store that never happens keeps
// the work.

typedef unsigned int u32;
typedef unsigned long long u64;

#define FOUR(step) step(a) step(b) step(c) step(d)
#define SIXTEEN(step) FOUR(step) FOUR(step) FOUR(step) FOUR(step)

#define KERNEL(name, type, initial, step)                                                          \
    extern "C" __global__ void name(u32* data, unsigned long long words, u32 rounds, u32 seed) {   \
        type a = initial(seed + threadIdx.x), b = initial(seed + 1), c = initial(seed + 2);        \
        type d = initial(seed + 3), y = initial(seed + 5 + threadIdx.x), z = initial(seed + 7);    \
        _Pragma("unroll 1") for (u32 round = 0; round < rounds; ++round) { SIXTEEN(step) }         \
        if (a + b + c + d + y + z == type(0x1234567)) data[threadIdx.x % words] = 1;               \
    }

#define FMA(x) x = fmaf(x, y, z);
#define MULTIPLY(x) asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(z));
#define SHIFT(x) asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(z));
#define MIN_MAX(x) asm volatile("min.u32 %0, %0, %1;\n\tmax.u32 %0, %0, %2;" : "+r"(x) : "r"(y), "r"(z));
#define DOT(x) asm volatile("dp4a.u32.u32 %0, %1, %0, %2;" : "+r"(x) : "r"(y), "r"(z));
#define TO_FLOAT_AND_BACK(x)                                                                       \
    asm volatile("{\n\t.reg .f32 t;\n\tcvt.rn.f32.u32 t, %0;\n\tcvt.rni.u32.f32 %0, t;\n\t}" : "+r"(x));
#define BYTE_TO_FLOAT(x) x = __float_as_uint(static_cast<float>(x & 0xff)) >> y;
#define POPULATION(x) asm volatile("popc.b32 %0, %0;\n\tadd.u32 %0, %0, %1;" : "+r"(x) : "r"(y));
#define DIVIDE_UNSIGNED(x) x = y / (x | 1);
#define DIVIDE_SIGNED(x) x = static_cast<int>(y) / static_cast<int>(x | 1);
#define REMAINDER(x) x = z % (x | 1);
#define DIVIDE_FLOAT(x) x = y / x;
#define ROOT(x) x = sqrtf(x);
#define DOUBLE_FMA(x) x = fma(x, y, z);
#define DOUBLE_DIVIDE(x) x = y / x;
#define EXPONENTIAL(x) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
#define SHUFFLE(x) x = __shfl_sync(0xffffffffu, x, x + y);
#define VOTE(x) x = __ballot_sync(0xffffffffu, x > y);
#define REDUCE(x) asm volatile("redux.sync.add.u32 %0, %0, 0xffffffff;" : "+r"(x));

KERNEL(fma_float, float, __uint_as_float, FMA)
KERNEL(multiply, u32, u32, MULTIPLY)
KERNEL(shift, u32, u32, SHIFT)
KERNEL(min_max, u32, u32, MIN_MAX)
KERNEL(dot, u32, u32, DOT)
KERNEL(to_float_and_back, u32, u32, TO_FLOAT_AND_BACK)
KERNEL(byte_to_float, u32, u32, BYTE_TO_FLOAT)
KERNEL(population, u32, u32, POPULATION)
KERNEL(divide_unsigned, u32, u32, DIVIDE_UNSIGNED)
KERNEL(divide_signed, u32, u32, DIVIDE_SIGNED)
KERNEL(remainder_unsigned, u32, u32, REMAINDER)
KERNEL(divide_float, float, __uint2float_rn, DIVIDE_FLOAT)
KERNEL(root, float, __uint2float_rn, ROOT)
KERNEL(fma_double, double, __uint2double_rn, DOUBLE_FMA)
KERNEL(divide_double, double, __uint2double_rn, DOUBLE_DIVIDE)
KERNEL(exponential, float, __uint2float_rn, EXPONENTIAL)
KERNEL(shuffle, u32, u32, SHUFFLE)
KERNEL(vote, u32, u32, VOTE)
#if __CUDA_ARCH__ >= 800
KERNEL(reduce, u32, u32, REDUCE)
#endif

// Matches of `distinct` values: what comes out, the lanes that have the value, are as many different ones again.
#define MATCHES(name, type, step)                                                                  \
    extern "C" __global__ void name(u32* data, u64 words, u32 rounds, u32 distinct) {              \
        const u32 lane = threadIdx.x % 32;                                                         \
        type a = lane % distinct, b = a + 100, c = a + 200, d = a + 300;                           \
        _Pragma("unroll 1") for (u32 round = 0; round < rounds; ++round) { SIXTEEN(step) }         \
        if (a + b + c + d == 0x1234567) data[threadIdx.x % words] = 1;                             \
    }

#define MATCH_ANY(x) x = __match_any_sync(0xffffffffu, x);
#define MATCH_ANY_WIDE(x) x = static_cast<u64>(__match_any_sync(0xffffffffu, x)) << 16;
// Nothing if they differ: the values must stay.
#define MATCH_ALL(x) x += __match_all_sync(0xffffffffu, x, &all) & 4;

MATCHES(match_any, u32, MATCH_ANY)
MATCHES(match_any_wide, u64, MATCH_ANY_WIDE)

extern "C" __global__ void match_all(u32* data, u64 words, u32 rounds, u32 distinct) {
    const u32 lane = threadIdx.x % 32;
    u32 a = lane % distinct, b = a + 100, c = a + 200, d = a + 300;
    int all = 0;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round) { SIXTEEN(MATCH_ALL) }
    if (a + b + c + d + all == 0x1234567) data[threadIdx.x % words] = 1;
}

// One chain: each instruction needs the result of the one before.
#define CHAIN(name, type, initial, step)                                                           \
    extern "C" __global__ void name(u32* data, u64 words, u32 rounds, u32 seed) {                  \
        type x = initial(seed + threadIdx.x), y = initial(seed + 5 + threadIdx.x);                 \
        type z = initial(seed + 7);                                                                \
        _Pragma("unroll 1") for (u32 round = 0; round < rounds; ++round) {                         \
            _Pragma("unroll") for (u32 k = 0; k < 32; ++k) { step(x) }                             \
        }                                                                                          \
        if (x + y + z == type(0x1234567)) data[threadIdx.x % words] = 1;                           \
    }

// One value for all lanes.
__device__ u32 same(u32 mine) { return mine - threadIdx.x; }

#define CONVERT(x) asm volatile("cvt.rn.f32.u32 %0, %1;" : "=f"(x) : "r"(__float_as_uint(x)));
#define CONVERT_BYTE(x)                                                                            \
    asm volatile("{\n\t.reg .u16 t;\n\tcvt.u16.u32 t, %1;\n\tcvt.rn.f32.u8 %0, t;\n\t}"              \
                 : "=f"(x)                                                                         \
                 : "r"(__float_as_uint(x)));
#define ADD_AND_XOR(x)                                                                             \
    asm volatile("add.u32 %0, %0, %1;\n\txor.b32 %0, %0, %2;" : "+r"(x) : "r"(y), "r"(z));
#define VOTE_CHAIN(x) x = __ballot_sync(0xffffffffu, x > y);

CHAIN(chain_add_and_xor, u32, u32, ADD_AND_XOR)
CHAIN(chain_fma, float, __uint_as_float, FMA)
CHAIN(chain_multiply, u32, u32, MULTIPLY)
CHAIN(chain_shift, u32, u32, SHIFT)
CHAIN(chain_dot, u32, u32, DOT)
CHAIN(chain_convert, float, __uint_as_float, CONVERT)
CHAIN(chain_convert_byte, float, __uint_as_float, CONVERT_BYTE)
CHAIN(chain_population, u32, u32, POPULATION)
CHAIN(chain_divide_unsigned, u32, u32, DIVIDE_UNSIGNED)
CHAIN(chain_divide_signed, u32, u32, DIVIDE_SIGNED)
CHAIN(chain_remainder, u32, u32, REMAINDER)
CHAIN(chain_divide_float, float, __uint2float_rn, DIVIDE_FLOAT)
CHAIN(chain_root, float, __uint2float_rn, ROOT)
CHAIN(chain_fma_double, double, __uint2double_rn, DOUBLE_FMA)
CHAIN(chain_divide_double, double, __uint2double_rn, DOUBLE_DIVIDE)
CHAIN(chain_exponential, float, __uint2float_rn, EXPONENTIAL)
CHAIN(chain_shuffle, u32, u32, SHUFFLE)
CHAIN(chain_vote, u32, u32, VOTE_CHAIN)
CHAIN(chain_match, u32, u32, MATCH_ANY)
CHAIN(chain_match_same, u32, same, MATCH_ANY)
#if __CUDA_ARCH__ >= 800
CHAIN(chain_reduce, u32, u32, REDUCE)
#endif

// Rounds of eight steps that each compare, branch and multiply. In `rounds` of `all` the branches
// are taken, over what is hardly ever to be done and too long for predicates; in the others not one
// is. Values are the same for all lanes, so that none waits for others to come together again.
extern "C" __global__ void take_branches(u32* data, u64 words, u32 rounds, u32 all) {
    u32 x = all;
    const u32 y = all | 1, z = all | 3;
#pragma unroll 1
    for (u32 round = rounds; round < all; ++round)
#pragma unroll
        for (u32 k = 0; k < 8; ++k) {
            if (x == k) goto met;
            MULTIPLY(x)
        }
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
#pragma unroll
        for (u32 k = 0; k < 8; ++k) {
            if (x == k) {
#pragma unroll
                for (u32 more = 0; more < 12; ++more) { MULTIPLY(x) }
            }
            MULTIPLY(x)
        }
    if (x != 0x1234567) return;
met:
    data[threadIdx.x % words] = y;
}

// Cycles of the multiprocessor's clock, in the first two words; the host knows the seconds.
extern "C" __global__ void clock_cycles(u32* data, unsigned long long, u32 rounds, u32 seed) {
    const long long start = clock64();
    u32 a = seed;
#pragma unroll 1
    for (u32 round = 0; round < rounds; ++round)
        asm volatile("mad.lo.u32 %0, %0, %0, %1;" : "+r"(a) : "r"(seed));
    const long long cycles = clock64() - start;
    data[0] = static_cast<u32>(cycles);
    data[1] = static_cast<u32>(cycles >> 32);
    if (a == 0x1234567) data[2] = a;
}
