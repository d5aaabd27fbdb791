// Numbers of 16 bits with the exponent of a float (bfloat16): conversions, arithmetic, comparisons. The names are those of NVIDIA's
// header of this name, which nvcc uses instead. Sums, products and quotients are computed as floats and rounded once more, which gives
// the same as rounding once. Transcendental functions are those of
// floats, rounded once more. Left out: atomics.
#pragma once

struct __nv_bfloat16_raw {
    unsigned short x;
};

struct alignas(2) __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    __device__ __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
    __device__ __nv_bfloat16(float value) {
        const unsigned bits = __float_as_uint(value);
        // To the nearest, ties to even; NaN stays NaN.
        const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
        __x = static_cast<unsigned short>(nan ? 0x7fffU : (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
    }
    __device__ __nv_bfloat16(double value) : __nv_bfloat16(static_cast<float>(value)) {}
    __device__ __nv_bfloat16(int value) : __nv_bfloat16(static_cast<float>(value)) {}
    __device__ __nv_bfloat16(unsigned value) : __nv_bfloat16(static_cast<float>(value)) {}
    __device__ operator __nv_bfloat16_raw() const { return {__x}; }
    __device__ operator float() const { return __uint_as_float(static_cast<unsigned>(__x) << 16); }
};
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    __device__ __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__forceinline__ __device__ __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
__forceinline__ __device__ __nv_bfloat16 __float2bfloat16_rn(float value) { return __nv_bfloat16(value); }
__forceinline__ __device__ float __bfloat162float(__nv_bfloat16 value) { return static_cast<float>(value); }
__forceinline__ __device__ __nv_bfloat16 __int2bfloat16_rn(int value) { return __nv_bfloat16(value); }
__forceinline__ __device__ int __bfloat162int_rn(__nv_bfloat16 value) { return __float2int_rn(value); }
__forceinline__ __device__ int __bfloat162int_rz(__nv_bfloat16 value) { return __float2int_rz(value); }
__forceinline__ __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) { return value.__x; }
__forceinline__ __device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16_raw{bits}; }
__forceinline__ __device__ __nv_bfloat162 __floats2bfloat162_rn(float low, float high) { return {low, high}; }
__forceinline__ __device__ __nv_bfloat162 __float2bfloat162_rn(float both) { return {both, both}; }
__forceinline__ __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
__forceinline__ __device__ float2 __bfloat1622float2(__nv_bfloat162 pair) {
    return make_float2(static_cast<float>(pair.x), static_cast<float>(pair.y));
}
__forceinline__ __device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 pair) { return pair.x; }
__forceinline__ __device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 pair) { return pair.y; }

#define WORKBOOK_BFLOAT(op, name)                                                                        \
    __forceinline__ __device__ __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {                    \
        return static_cast<float>(a) op static_cast<float>(b);                                           \
    }                                                                                                    \
    __forceinline__ __device__ __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); } \
    __forceinline__ __device__ __nv_bfloat16& operator op##=(__nv_bfloat16& a, __nv_bfloat16 b) {        \
        return a = name(a, b);                                                                           \
    }
WORKBOOK_BFLOAT(+, __hadd)
WORKBOOK_BFLOAT(-, __hsub)
WORKBOOK_BFLOAT(*, __hmul)
WORKBOOK_BFLOAT(/, __hdiv)
#undef WORKBOOK_BFLOAT
#define WORKBOOK_COMPARISON(op, name)                                                                          \
    __forceinline__ __device__ bool name(__nv_bfloat16 a, __nv_bfloat16 b) {                                   \
        return static_cast<float>(a) op static_cast<float>(b);                                                 \
    }                                                                                                          \
    __forceinline__ __device__ bool operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); }
WORKBOOK_COMPARISON(==, __heq)
WORKBOOK_COMPARISON(!=, __hne)
WORKBOOK_COMPARISON(<, __hlt)
WORKBOOK_COMPARISON(<=, __hle)
WORKBOOK_COMPARISON(>, __hgt)
WORKBOOK_COMPARISON(>=, __hge)
#undef WORKBOOK_COMPARISON

// A product of two such numbers is exact as a float; its sum with a third is rounded to odd in a double, so that the second rounding is the
// only one.
__forceinline__ __device__ __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    const double product = static_cast<double>(static_cast<float>(a) * static_cast<float>(b));
    const double addend = static_cast<double>(static_cast<float>(c));
    const double sum = product + addend;
    const float down = __double2float_rz(sum);
    const bool exact = static_cast<double>(down) == sum || !(fabs(sum) < 3.0e38);
    return __nv_bfloat16(exact ? static_cast<float>(sum) : __uint_as_float(__float_as_uint(down) | 1U));
}
__forceinline__ __device__ __nv_bfloat16 __hneg(__nv_bfloat16 a) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(a.__x ^ 0x8000));
}
__forceinline__ __device__ __nv_bfloat16 __habs(__nv_bfloat16 a) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(a.__x & 0x7fff));
}
__forceinline__ __device__ __nv_bfloat16 operator-(__nv_bfloat16 a) { return __hneg(a); }
__forceinline__ __device__ bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7fff) > 0x7f80; }
__forceinline__ __device__ int __hisinf(__nv_bfloat16 a) { return a.__x == 0x7f80 ? 1 : a.__x == 0xff80 ? -1 : 0; }
__forceinline__ __device__ __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
    return fmaxf(static_cast<float>(a), static_cast<float>(b));
}
__forceinline__ __device__ __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
    return fminf(static_cast<float>(a), static_cast<float>(b));
}
#define WORKBOOK_BFLOAT(name)                                                                         \
    __forceinline__ __device__ __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) {           \
        return {name(a.x, b.x), name(a.y, b.y)};                                                      \
    }
WORKBOOK_BFLOAT(__hadd)
WORKBOOK_BFLOAT(__hsub)
WORKBOOK_BFLOAT(__hmul)
WORKBOOK_BFLOAT(__hmax)
WORKBOOK_BFLOAT(__hmin)
#undef WORKBOOK_BFLOAT
__forceinline__ __device__ __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__forceinline__ __device__ __nv_bfloat162 operator+(__nv_bfloat162 a, __nv_bfloat162 b) { return __hadd2(a, b); }
__forceinline__ __device__ __nv_bfloat162 operator-(__nv_bfloat162 a, __nv_bfloat162 b) { return __hsub2(a, b); }
__forceinline__ __device__ __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) { return __hmul2(a, b); }
__forceinline__ __device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 both) { return {both, both}; }
__forceinline__ __device__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
__forceinline__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2 pair) { return {pair.x, pair.y}; }
__forceinline__ __device__ float __low2float(__nv_bfloat162 pair) { return static_cast<float>(pair.x); }
__forceinline__ __device__ float __high2float(__nv_bfloat162 pair) { return static_cast<float>(pair.y); }
__forceinline__ __device__ __nv_bfloat16 __ldg(const __nv_bfloat16* from) {
    return __ushort_as_bfloat16(__ldg(reinterpret_cast<const unsigned short*>(from)));
}
#define WORKBOOK_FUNCTION(name, value)                                                                \
    __forceinline__ __device__ __nv_bfloat16 h##name(__nv_bfloat16 x) {                               \
        const float a = static_cast<float>(x);                                                        \
        return __nv_bfloat16(static_cast<float>(value));                                              \
    }
WORKBOOK_FUNCTION(floor, floorf(a))
WORKBOOK_FUNCTION(ceil, ceilf(a))
WORKBOOK_FUNCTION(trunc, truncf(a))
WORKBOOK_FUNCTION(rint, rintf(a))
WORKBOOK_FUNCTION(sqrt, sqrtf(a))
WORKBOOK_FUNCTION(rsqrt, 1.0f / sqrtf(a))
WORKBOOK_FUNCTION(rcp, 1.0f / a)
WORKBOOK_FUNCTION(exp, expf(a))
WORKBOOK_FUNCTION(exp2, exp2f(a))
WORKBOOK_FUNCTION(log, logf(a))
WORKBOOK_FUNCTION(log2, log2f(a))
WORKBOOK_FUNCTION(sin, sinf(a))
WORKBOOK_FUNCTION(cos, cosf(a))
#undef WORKBOOK_FUNCTION
