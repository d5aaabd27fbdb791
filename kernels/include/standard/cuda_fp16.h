// Numbers of 16 bits (binary16), one and two at a time: conversions, arithmetic, comparisons. The names are those of NVIDIA's header
// of this name, which nvcc uses instead. Left out: transcendental functions, conversions with other roundings, atomics.
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
__forceinline__ __device__ unsigned short __half_as_ushort(__half value) { return value.__x; }
__forceinline__ __device__ short __half_as_short(__half value) { return static_cast<short>(value.__x); }
__forceinline__ __device__ __half __ushort_as_half(unsigned short bits) { return workbook::half_of(bits); }
__forceinline__ __device__ __half __short_as_half(short bits) { return workbook::half_of(static_cast<unsigned short>(bits)); }

#define WORKBOOK_HALF(name, instruction)                                                                     \
    __forceinline__ __device__ __half name(__half a, __half b) {                                             \
        unsigned short result;                                                                               \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(result) : "h"(a.__x), "h"(b.__x));                         \
        return workbook::half_of(result);                                                                    \
    }                                                                                                        \
    __forceinline__ __device__ __half2 name##2(__half2 a, __half2 b) {                                       \
        unsigned result;                                                                                     \
        asm(instruction ".f16x2 %0, %1, %2;" : "=r"(result) : "r"(workbook::bits(a)), "r"(workbook::bits(b))); \
        return workbook::pair_of(result);                                                                    \
    }
WORKBOOK_HALF(__hadd, "add.rn")
WORKBOOK_HALF(__hsub, "sub.rn")
WORKBOOK_HALF(__hmul, "mul.rn")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WORKBOOK_HALF(__hmax, "max")
WORKBOOK_HALF(__hmin, "min")
#endif
#undef WORKBOOK_HALF
__forceinline__ __device__ __half __hfma(__half a, __half b, __half c) {
    unsigned short result;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(result) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
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
__forceinline__ __device__ __half hsqrt(__half a) { return __half(sqrtf(a)); }
__forceinline__ __device__ __half __hneg(__half a) { return workbook::half_of(a.__x ^ 0x8000); }
__forceinline__ __device__ __half __habs(__half a) { return workbook::half_of(a.__x & 0x7fff); }
__forceinline__ __device__ __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
__forceinline__ __device__ __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
__forceinline__ __device__ bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }

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
