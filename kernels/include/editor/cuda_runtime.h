// What an editor without a CUDA toolkit needs to understand a lab file: declarations, no code. clangd and the C++ extension of
// VS Code read it in front of each file (`-include`, in CUDA mode, without NVIDIA's headers). No compiler that runs your
// kernels ever sees this folder.
#pragma once

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ inline __attribute__((always_inline))
#define __grid_constant__

#include <new>
__device__ void __syncthreads();

// Functions of the C and C++ libraries are called in kernels, too.
#pragma clang force_cuda_host_device begin
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

// After the libraries, which write `__attribute__((__noinline__))`.
#define __noinline__ __attribute__((noinline))

typedef unsigned char uchar;
using std::max;
using std::min;

// Vectors of 1 to 4 numbers, and the functions that make them.
#define EDITOR_VECTOR(name, type, two, four)                                                     \
    struct name##1 { type x; };                                                                  \
    struct __attribute__((aligned(two * sizeof(type)))) name##2 { type x, y; };                  \
    struct name##3 { type x, y, z; };                                                            \
    struct __attribute__((aligned(four * sizeof(type)))) name##4 { type x, y, z, w; };           \
    inline name##1 make_##name##1(type x) { return {x}; }                                        \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }                             \
    inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                  \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
EDITOR_VECTOR(char, signed char, 2, 4)
EDITOR_VECTOR(uchar, unsigned char, 2, 4)
EDITOR_VECTOR(short, short, 2, 4)
EDITOR_VECTOR(ushort, unsigned short, 2, 4)
EDITOR_VECTOR(int, int, 2, 4)
EDITOR_VECTOR(uint, unsigned, 2, 4)
EDITOR_VECTOR(long, long, 2, 2)
EDITOR_VECTOR(ulong, unsigned long, 2, 2)
EDITOR_VECTOR(longlong, long long, 2, 2)
EDITOR_VECTOR(ulonglong, unsigned long long, 2, 2)
EDITOR_VECTOR(float, float, 2, 4)
EDITOR_VECTOR(double, double, 2, 2)
#undef EDITOR_VECTOR
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

// Barriers, fences, votes and shuffles.
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
void __syncwarp(unsigned mask = 0xffffffff);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __trap();
void __brkpt();
void __nanosleep(unsigned nanoseconds);
unsigned __activemask();
int __all_sync(unsigned mask, int predicate);
int __any_sync(unsigned mask, int predicate);
unsigned __ballot_sync(unsigned mask, int predicate);
template <class T> unsigned __match_any_sync(unsigned mask, T value);
template <class T> unsigned __match_all_sync(unsigned mask, T value, int* predicate);
template <class T> T __shfl_sync(unsigned mask, T value, int lane, int width = 32);
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32);
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32);
template <class T> T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32);
#define EDITOR_REDUCE(name, type) type __reduce_##name##_sync(unsigned mask, type value);
EDITOR_REDUCE(add, unsigned) EDITOR_REDUCE(add, int)
EDITOR_REDUCE(min, unsigned) EDITOR_REDUCE(min, int)
EDITOR_REDUCE(max, unsigned) EDITOR_REDUCE(max, int)
EDITOR_REDUCE(and, unsigned) EDITOR_REDUCE(or, unsigned) EDITOR_REDUCE(xor, unsigned)
#undef EDITOR_REDUCE
long long clock64();
long clock();

// Atomics: each also for one block, and for all GPUs and the host.
#define EDITOR_ATOMIC_TYPE(name, type)          \
    type name(type* address, type value);       \
    type name##_block(type* address, type value); \
    type name##_system(type* address, type value);
#define EDITOR_ATOMIC(name)                   \
    EDITOR_ATOMIC_TYPE(name, int)             \
    EDITOR_ATOMIC_TYPE(name, unsigned)        \
    EDITOR_ATOMIC_TYPE(name, unsigned long long)
EDITOR_ATOMIC(atomicAdd) EDITOR_ATOMIC(atomicSub) EDITOR_ATOMIC(atomicExch)
EDITOR_ATOMIC(atomicMin) EDITOR_ATOMIC(atomicMax)
EDITOR_ATOMIC(atomicAnd) EDITOR_ATOMIC(atomicOr) EDITOR_ATOMIC(atomicXor)
EDITOR_ATOMIC_TYPE(atomicAdd, float) EDITOR_ATOMIC_TYPE(atomicAdd, double)
EDITOR_ATOMIC_TYPE(atomicExch, float)
EDITOR_ATOMIC_TYPE(atomicInc, unsigned) EDITOR_ATOMIC_TYPE(atomicDec, unsigned)
#undef EDITOR_ATOMIC
#undef EDITOR_ATOMIC_TYPE
template <class T> T atomicCAS(T* address, T compare, T value);
template <class T> T atomicCAS_block(T* address, T compare, T value);
template <class T> T atomicCAS_system(T* address, T compare, T value);

// Loads and stores with a say in the caches.
template <class T> T __ldg(const T* address);
template <class T> T __ldca(const T* address);
template <class T> T __ldcg(const T* address);
template <class T> T __ldcs(const T* address);
template <class T> T __ldcv(const T* address);
template <class T> T __ldlu(const T* address);
template <class T> void __stwb(T* address, T value);
template <class T> void __stcg(T* address, T value);
template <class T> void __stcs(T* address, T value);
template <class T> void __stwt(T* address, T value);
size_t __cvta_generic_to_shared(const void* address);
size_t __cvta_generic_to_global(const void* address);
unsigned __isShared(const void* address);
unsigned __isGlobal(const void* address);

// Whole numbers.
unsigned __byte_perm(unsigned a, unsigned b, unsigned selector);
unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by);
unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by);
unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by);
unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by);
int __dp4a(int a, int b, int c);
unsigned __dp4a(unsigned a, unsigned b, unsigned c);
int __dp4a(char4 a, char4 b, int c);
unsigned __dp4a(uchar4 a, uchar4 b, unsigned c);
int __dp2a_lo(int a, int b, int c);
int __dp2a_hi(int a, int b, int c);
unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c);
unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c);
int __mul24(int a, int b);
unsigned __umul24(unsigned a, unsigned b);
int __mulhi(int a, int b);
unsigned __umulhi(unsigned a, unsigned b);
long long __mul64hi(long long a, long long b);
unsigned long long __umul64hi(unsigned long long a, unsigned long long b);
int __popc(unsigned value);
int __popcll(unsigned long long value);
int __clz(int value);
int __clzll(long long value);
int __ffs(int value);
int __ffsll(long long value);
unsigned __brev(unsigned value);
unsigned long long __brevll(unsigned long long value);
unsigned __sad(int a, int b, unsigned c);
unsigned __usad(unsigned a, unsigned b, unsigned c);
int __hadd(int a, int b);
int __rhadd(int a, int b);
unsigned __uhadd(unsigned a, unsigned b);
unsigned __urhadd(unsigned a, unsigned b);
#define EDITOR_SIMD(name)                            \
    unsigned __v##name##4(unsigned a, unsigned b);   \
    unsigned __v##name##2(unsigned a, unsigned b);
EDITOR_SIMD(add) EDITOR_SIMD(addus) EDITOR_SIMD(addss) EDITOR_SIMD(sub) EDITOR_SIMD(subus) EDITOR_SIMD(subss)
EDITOR_SIMD(avgu) EDITOR_SIMD(avgs) EDITOR_SIMD(haddu) EDITOR_SIMD(absdiffu) EDITOR_SIMD(absdiffs)
EDITOR_SIMD(minu) EDITOR_SIMD(mins) EDITOR_SIMD(maxu) EDITOR_SIMD(maxs) EDITOR_SIMD(sadu) EDITOR_SIMD(sads)
EDITOR_SIMD(cmpeq) EDITOR_SIMD(cmpne) EDITOR_SIMD(cmpgtu) EDITOR_SIMD(cmpgeu) EDITOR_SIMD(cmpltu) EDITOR_SIMD(cmpleu)
EDITOR_SIMD(seteq) EDITOR_SIMD(setne) EDITOR_SIMD(setgtu) EDITOR_SIMD(setgeu) EDITOR_SIMD(setltu) EDITOR_SIMD(setleu)
#undef EDITOR_SIMD

// Floating-point numbers: quick versions, roundings, bits.
float __fdividef(float a, float b);
float __saturatef(float value);
float __expf(float value);
float __exp10f(float value);
float __logf(float value);
float __log2f(float value);
float __log10f(float value);
float __powf(float base, float exponent);
float __sinf(float value);
float __cosf(float value);
float __tanf(float value);
float __frsqrt_rn(float value);
float rsqrtf(float value);
double rsqrt(double value);
float fdividef(float a, float b);
float norm3df(float a, float b, float c);
#define EDITOR_ROUNDED(to)                                \
    float __fadd_##to(float a, float b);                  \
    float __fsub_##to(float a, float b);                  \
    float __fmul_##to(float a, float b);                  \
    float __fdiv_##to(float a, float b);                  \
    float __fmaf_##to(float a, float b, float c);         \
    float __frcp_##to(float value);                       \
    float __fsqrt_##to(float value);                      \
    double __dadd_##to(double a, double b);               \
    double __dmul_##to(double a, double b);               \
    double __ddiv_##to(double a, double b);               \
    double __fma_##to(double a, double b, double c);      \
    int __float2int_##to(float value);                    \
    unsigned __float2uint_##to(float value);              \
    long long __float2ll_##to(float value);               \
    int __double2int_##to(double value);                  \
    unsigned __double2uint_##to(double value);            \
    float __double2float_##to(double value);              \
    float __int2float_##to(int value);                    \
    float __uint2float_##to(unsigned value);              \
    float __ll2float_##to(long long value);
EDITOR_ROUNDED(rn) EDITOR_ROUNDED(rz) EDITOR_ROUNDED(ru) EDITOR_ROUNDED(rd)
#undef EDITOR_ROUNDED
int __float_as_int(float value);
unsigned __float_as_uint(float value);
float __int_as_float(int value);
float __uint_as_float(unsigned value);
long long __double_as_longlong(double value);
double __longlong_as_double(long long value);

#include "calls.h"
#include "images.h"
#pragma clang force_cuda_host_device end
