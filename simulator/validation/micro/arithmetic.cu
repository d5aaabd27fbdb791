// What a multiprocessor executes a cycle, class by class: enough warps, and in each four chains of instructions that do
// not depend on one another. `seed` keeps the compiler from knowing any value; the store that never happens keeps
// the work.

typedef unsigned int u32;

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
#define MATCH(x) x = __match_any_sync(0xffffffffu, x);
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
KERNEL(match_any, u32, u32, MATCH)
#if __CUDA_ARCH__ >= 800
KERNEL(reduce, u32, u32, REDUCE)
#endif

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
