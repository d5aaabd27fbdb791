// Numbers of 16 bits (binary16), one and two at a time: conversions, arithmetic, comparisons. The names are those of NVIDIA's header
// of this name, which nvcc uses instead. Transcendental functions are those of floats, rounded once more. Left out: complex
// products.
#pragma once

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

struct alignas(2) __half {
    unsigned short __x;

    __half() = default;
    __device__ __half(__half_raw raw) : __x(raw.x) {}
    __device__ __half(float value) {
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(__x) : "f"(value));
    }
    __device__ __half(double value) : __half(static_cast<float>(value)) {}
    __device__ __half(int value) : __half(static_cast<float>(value)) {}
    __device__ __half(unsigned value) : __half(static_cast<float>(value)) {}
    __device__ __half(short value) : __half(static_cast<float>(value)) {}
    __device__ __half(unsigned short value) : __half(static_cast<float>(value)) {}
    __device__ __half(long long value) : __half(static_cast<float>(value)) {}
    __device__ __half(unsigned long long value) : __half(static_cast<float>(value)) {}
    __device__ operator __half_raw() const { return {__x}; }
    __device__ operator float() const {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(__x));
        return value;
    }
};
struct alignas(4) __half2 {
    __half x, y;

    __half2() = default;
    __device__ __half2(__half low, __half high) : x(low), y(high) {}
};
typedef __half half;
typedef __half2 half2;

namespace workbook {

__forceinline__ __device__ unsigned bits(__half2 pair) { return pair.x.__x | static_cast<unsigned>(pair.y.__x) << 16; }
__forceinline__ __device__ __half half_of(unsigned short bits) { return __half_raw{bits}; }
__forceinline__ __device__ __half2 pair_of(unsigned bits) {
    return {half_of(static_cast<unsigned short>(bits)), half_of(static_cast<unsigned short>(bits >> 16))};
}

}  // namespace workbook

__forceinline__ __device__ __half __float2half(float value) { return __half(value); }
__forceinline__ __device__ __half __float2half_rn(float value) { return __half(value); }
__forceinline__ __device__ __half __double2half(double value) { return __half(value); }
__forceinline__ __device__ float __half2float(__half value) { return static_cast<float>(value); }
__forceinline__ __device__ __half __int2half_rn(int value) { return __half(value); }
__forceinline__ __device__ __half __uint2half_rn(unsigned value) { return __half(value); }
__forceinline__ __device__ __half __short2half_rn(short value) { return __half(value); }
__forceinline__ __device__ __half __ushort2half_rn(unsigned short value) { return __half(value); }
__forceinline__ __device__ int __half2int_rn(__half value) { return __float2int_rn(value); }
__forceinline__ __device__ int __half2int_rz(__half value) { return __float2int_rz(value); }
__forceinline__ __device__ int __half2int_rd(__half value) { return __float2int_rd(value); }
__forceinline__ __device__ int __half2int_ru(__half value) { return __float2int_ru(value); }
__forceinline__ __device__ unsigned __half2uint_rn(__half value) { return __float2uint_rn(value); }
__forceinline__ __device__ unsigned __half2uint_rz(__half value) { return __float2uint_rz(value); }
__forceinline__ __device__ unsigned __half2uint_rd(__half value) { return __float2uint_rd(value); }
__forceinline__ __device__ unsigned __half2uint_ru(__half value) { return __float2uint_ru(value); }
__forceinline__ __device__ short __half2short_rn(__half value) { return static_cast<short>(__float2int_rn(value)); }
__forceinline__ __device__ short __half2short_rz(__half value) { return static_cast<short>(__float2int_rz(value)); }
__forceinline__ __device__ unsigned short __half2ushort_rn(__half value) { return static_cast<unsigned short>(__float2uint_rn(value)); }
__forceinline__ __device__ unsigned short __half2ushort_rz(__half value) { return static_cast<unsigned short>(__float2uint_rz(value)); }
__forceinline__ __device__ signed char __half2char_rz(__half value) { return static_cast<signed char>(__float2int_rz(value)); }
__forceinline__ __device__ unsigned char __half2uchar_rz(__half value) { return static_cast<unsigned char>(__float2uint_rz(value)); }
__forceinline__ __device__ __half __ll2half_rn(long long value) { return __half(value); }
__forceinline__ __device__ __half __ull2half_rn(unsigned long long value) { return __half(value); }
__forceinline__ __device__ __half __float2half_rz(float value) {
    unsigned short result;
    asm("cvt.rz.f16.f32 %0, %1;" : "=h"(result) : "f"(value));
    return workbook::half_of(result);
}
__forceinline__ __device__ unsigned short __half_as_ushort(__half value) { return value.__x; }
__forceinline__ __device__ short __half_as_short(__half value) { return static_cast<short>(value.__x); }
__forceinline__ __device__ __half __ushort_as_half(unsigned short bits) { return workbook::half_of(bits); }
__forceinline__ __device__ __half __short_as_half(short bits) { return workbook::half_of(static_cast<unsigned short>(bits)); }

#define WORKBOOK_HALF(name, pair, instruction)                                                               \
    __forceinline__ __device__ __half name(__half a, __half b) {                                             \
        unsigned short result;                                                                               \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(result) : "h"(a.__x), "h"(b.__x));                         \
        return workbook::half_of(result);                                                                    \
    }                                                                                                        \
    __forceinline__ __device__ __half2 pair(__half2 a, __half2 b) {                                          \
        unsigned result;                                                                                     \
        asm(instruction ".f16x2 %0, %1, %2;" : "=r"(result) : "r"(workbook::bits(a)), "r"(workbook::bits(b))); \
        return workbook::pair_of(result);                                                                    \
    }
WORKBOOK_HALF(__hadd, __hadd2, "add.rn")
WORKBOOK_HALF(__hsub, __hsub2, "sub.rn")
WORKBOOK_HALF(__hmul, __hmul2, "mul.rn")
WORKBOOK_HALF(__hadd_rn, __hadd2_rn, "add.rn")
WORKBOOK_HALF(__hsub_rn, __hsub2_rn, "sub.rn")
WORKBOOK_HALF(__hmul_rn, __hmul2_rn, "mul.rn")
WORKBOOK_HALF(__hadd_sat, __hadd2_sat, "add.rn.sat")
WORKBOOK_HALF(__hsub_sat, __hsub2_sat, "sub.rn.sat")
WORKBOOK_HALF(__hmul_sat, __hmul2_sat, "mul.rn.sat")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WORKBOOK_HALF(__hmax, __hmax2, "max")
WORKBOOK_HALF(__hmin, __hmin2, "min")
WORKBOOK_HALF(__hmax_nan, __hmax2_nan, "max.NaN")
WORKBOOK_HALF(__hmin_nan, __hmin2_nan, "min.NaN")
#endif
#undef WORKBOOK_HALF
__forceinline__ __device__ __half __hfma(__half a, __half b, __half c) {
    unsigned short result;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(result) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return workbook::half_of(result);
}
__forceinline__ __device__ __half __hfma_sat(__half a, __half b, __half c) {
    unsigned short result;
    asm("fma.rn.sat.f16 %0, %1, %2, %3;" : "=h"(result) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return workbook::half_of(result);
}
__forceinline__ __device__ __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    unsigned result;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(result)
        : "r"(workbook::bits(a)), "r"(workbook::bits(b)), "r"(workbook::bits(c)));
    return workbook::pair_of(result);
}
// A quotient of two binary16 rounded to binary32 and then to binary16 is rounded as if once.
__forceinline__ __device__ __half __hdiv(__half a, __half b) { return __half(static_cast<float>(a) / static_cast<float>(b)); }
__forceinline__ __device__ __half2 __h2div(__half2 a, __half2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
#define WORKBOOK_FUNCTION(name, value)                                                                        \
    __forceinline__ __device__ __half h##name(__half x) {                                                     \
        const float a = static_cast<float>(x);                                                                \
        return __half(static_cast<float>(value));                                                             \
    }                                                                                                         \
    __forceinline__ __device__ __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
WORKBOOK_FUNCTION(floor, floorf(a))
WORKBOOK_FUNCTION(ceil, ceilf(a))
WORKBOOK_FUNCTION(trunc, truncf(a))
WORKBOOK_FUNCTION(rint, rintf(a))
WORKBOOK_FUNCTION(sqrt, sqrtf(a))
WORKBOOK_FUNCTION(rsqrt, 1.0f / sqrtf(a))
WORKBOOK_FUNCTION(rcp, 1.0f / a)
WORKBOOK_FUNCTION(exp, expf(a))
WORKBOOK_FUNCTION(exp2, exp2f(a))
WORKBOOK_FUNCTION(exp10, exp10f(a))
WORKBOOK_FUNCTION(log, logf(a))
WORKBOOK_FUNCTION(log2, log2f(a))
WORKBOOK_FUNCTION(log10, log10f(a))
WORKBOOK_FUNCTION(sin, sinf(a))
WORKBOOK_FUNCTION(cos, cosf(a))
WORKBOOK_FUNCTION(tanh, tanhf(a))
#undef WORKBOOK_FUNCTION
__forceinline__ __device__ __half __hneg(__half a) { return workbook::half_of(a.__x ^ 0x8000); }
__forceinline__ __device__ __half __habs(__half a) { return workbook::half_of(a.__x & 0x7fff); }
__forceinline__ __device__ __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
__forceinline__ __device__ __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
__forceinline__ __device__ bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
__forceinline__ __device__ int __hisinf(__half a) { return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0; }

#define WORKBOOK_COMPARISON(name, op)                                                     \
    __forceinline__ __device__ bool name(__half a, __half b) {                            \
        return static_cast<float>(a) op static_cast<float>(b);                            \
    }                                                                                     \
    __forceinline__ __device__ bool operator op(__half a, __half b) { return name(a, b); }
WORKBOOK_COMPARISON(__heq, ==)
WORKBOOK_COMPARISON(__hne, !=)
WORKBOOK_COMPARISON(__hlt, <)
WORKBOOK_COMPARISON(__hle, <=)
WORKBOOK_COMPARISON(__hgt, >)
WORKBOOK_COMPARISON(__hge, >=)
#undef WORKBOOK_COMPARISON
// Of both halves: a pair of ones and zeros, and whether it holds for both.
#define WORKBOOK_COMPARISON(name, op)                                                                              \
    __forceinline__ __device__ __half2 __h##name##2(__half2 a, __half2 b) {                                        \
        return {__half(a.x op b.x ? 1.0f : 0.0f), __half(a.y op b.y ? 1.0f : 0.0f)};                               \
    }                                                                                                              \
    __forceinline__ __device__ bool __hb##name##2(__half2 a, __half2 b) { return a.x op b.x && a.y op b.y; }       \
    __forceinline__ __device__ bool operator op(__half2 a, __half2 b) { return __hb##name##2(a, b); }
WORKBOOK_COMPARISON(eq, ==)
WORKBOOK_COMPARISON(ne, !=)
WORKBOOK_COMPARISON(lt, <)
WORKBOOK_COMPARISON(le, <=)
WORKBOOK_COMPARISON(gt, >)
WORKBOOK_COMPARISON(ge, >=)
#undef WORKBOOK_COMPARISON

#define WORKBOOK_OPERATOR(op, one, two)                                                              \
    __forceinline__ __device__ __half operator op(__half a, __half b) { return one(a, b); }          \
    __forceinline__ __device__ __half& operator op##=(__half& a, __half b) { return a = one(a, b); } \
    __forceinline__ __device__ __half2 operator op(__half2 a, __half2 b) { return two(a, b); }       \
    __forceinline__ __device__ __half2& operator op##=(__half2& a, __half2 b) { return a = two(a, b); }
WORKBOOK_OPERATOR(+, __hadd, __hadd2)
WORKBOOK_OPERATOR(-, __hsub, __hsub2)
WORKBOOK_OPERATOR(*, __hmul, __hmul2)
WORKBOOK_OPERATOR(/, __hdiv, __h2div)
#undef WORKBOOK_OPERATOR
__forceinline__ __device__ __half operator-(__half a) { return __hneg(a); }

__forceinline__ __device__ __half2 __floats2half2_rn(float low, float high) { return {__half(low), __half(high)}; }
__forceinline__ __device__ __half2 __float2half2_rn(float both) { return {__half(both), __half(both)}; }
__forceinline__ __device__ __half2 __float22half2_rn(float2 pair) { return __floats2half2_rn(pair.x, pair.y); }
__forceinline__ __device__ float2 __half22float2(__half2 pair) {
    return make_float2(static_cast<float>(pair.x), static_cast<float>(pair.y));
}
__forceinline__ __device__ __half2 __half2half2(__half both) { return {both, both}; }
__forceinline__ __device__ __half2 __halves2half2(__half low, __half high) { return {low, high}; }
__forceinline__ __device__ __half2 make_half2(__half low, __half high) { return {low, high}; }
__forceinline__ __device__ __half __low2half(__half2 pair) { return pair.x; }
__forceinline__ __device__ __half __high2half(__half2 pair) { return pair.y; }
__forceinline__ __device__ float __low2float(__half2 pair) { return pair.x; }
__forceinline__ __device__ float __high2float(__half2 pair) { return pair.y; }
__forceinline__ __device__ __half2 __low2half2(__half2 pair) { return {pair.x, pair.x}; }
__forceinline__ __device__ __half2 __high2half2(__half2 pair) { return {pair.y, pair.y}; }
__forceinline__ __device__ __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
__forceinline__ __device__ __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
__forceinline__ __device__ __half2 __lowhigh2highlow(__half2 pair) { return {pair.y, pair.x}; }

__forceinline__ __device__ __half __ldg(const __half* from) {
    return workbook::half_of(__ldg(reinterpret_cast<const unsigned short*>(from)));
}
__forceinline__ __device__ __half2 __ldg(const __half2* from) {
    return workbook::pair_of(__ldg(reinterpret_cast<const unsigned*>(from)));
}
#define WORKBOOK_SHUFFLE(name, type)                                                                          \
    __forceinline__ __device__ __half name(unsigned mask, __half value, type lane, int width = 32) {          \
        return workbook::half_of(                                                                             \
            static_cast<unsigned short>(name(mask, static_cast<unsigned>(value.__x), lane, width)));          \
    }                                                                                                         \
    __forceinline__ __device__ __half2 name(unsigned mask, __half2 value, type lane, int width = 32) {        \
        return workbook::pair_of(name(mask, workbook::bits(value), lane, width));                             \
    }
WORKBOOK_SHUFFLE(__shfl_sync, int)
WORKBOOK_SHUFFLE(__shfl_up_sync, unsigned)
WORKBOOK_SHUFFLE(__shfl_down_sync, unsigned)
WORKBOOK_SHUFFLE(__shfl_xor_sync, int)
#undef WORKBOOK_SHUFFLE
__forceinline__ __device__ __half atomicAdd(__half* to, __half value) {
    unsigned short before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(before) : "l"(to), "h"(value.__x) : "memory");
    return workbook::half_of(before);
}
__forceinline__ __device__ __half2 atomicAdd(__half2* to, __half2 value) {
    unsigned before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(before) : "l"(to), "r"(workbook::bits(value)) : "memory");
    return workbook::pair_of(before);
}
