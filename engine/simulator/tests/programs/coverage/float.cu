// Floating-point instructions, element by element. Four words in, several out.
typedef unsigned int u32;
typedef unsigned long long u64;

#define ELEMENT(name, results)                                               \
    __device__ __forceinline__ void name##_of(float x, float y, float z, u32 w, u32* out); \
    extern "C" __global__ void name(const uint4* in, u32* out, int n) {      \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                 \
        if (i < n) {                                                         \
            const uint4 v = in[i];                                           \
            name##_of(__uint_as_float(v.x), __uint_as_float(v.y), __uint_as_float(v.z), v.w, out + i * (results)); \
        }                                                                    \
    }                                                                        \
    __device__ __forceinline__ void name##_of(float x, float y, float z, u32 w, u32* out)

__device__ __forceinline__ u32 as(float value) { return __float_as_uint(value); }
__device__ __forceinline__ void put(u32* out, double value) {
    const u64 bits = (u64)__double_as_longlong(value);
    out[0] = (u32)bits;
    out[1] = (u32)(bits >> 32);
}

ELEMENT(exact, 20) {
    out[0] = as(__fadd_rn(x, y));
    out[1] = as(__fadd_rz(x, y));
    out[2] = as(__fadd_ru(x, y));
    out[3] = as(__fadd_rd(x, y));
    out[4] = as(__fmul_rn(x, y));
    out[5] = as(__fmul_rz(x, y));
    out[6] = as(__fmul_ru(x, y));
    out[7] = as(__fmul_rd(x, y));
    out[8] = as(__fmaf_rn(x, y, z));
    out[9] = as(__fmaf_rz(x, y, z));
    out[10] = as(__fmaf_ru(x, y, z));
    out[11] = as(__fmaf_rd(x, y, z));
    out[12] = as(__fdiv_rn(x, y));
    out[13] = as(__fdiv_rz(x, y));
    out[14] = as(__fdiv_ru(x, y));
    out[15] = as(__fdiv_rd(x, y));
    out[16] = as(__fsqrt_rn(x));
    out[17] = as(__fsqrt_rd(x));
    out[18] = as(__frcp_rn(x));
    out[19] = as(__saturatef(x));
}

ELEMENT(roundings, 24) {
    out[0] = __float2int_rn(x);
    out[1] = __float2int_rz(x);
    out[2] = __float2int_ru(x);
    out[3] = __float2int_rd(x);
    out[4] = __float2uint_rn(x);
    out[5] = (u32)(__float2ll_rz(x) >> 16);
    out[6] = (u32)(__float2ull_rn(x) >> 16);
    out[7] = as(__int2float_rn((int)w));
    out[8] = as(__int2float_rz((int)w));
    out[9] = as(__uint2float_ru(w));
    out[10] = as(__uint2float_rd(w));
    out[11] = as(__ll2float_rn((long long)w << 20 | 5));
    out[12] = as(__ull2float_rz((u64)w << 32 | w));
    out[13] = as(__ull2float_ru((u64)w << 32 | w));
    out[14] = as(floorf(x));
    out[15] = as(ceilf(x));
    out[16] = as(truncf(x));
    out[17] = as(rintf(x));
    out[18] = as(roundf(x));
    out[19] = as(fminf(x, y));
    out[20] = as(fmaxf(x, y));
    out[21] = as(copysignf(x, y));
    out[22] = isnan(x) | isinf(y) << 1 | isfinite(z) << 2 | signbit(x) << 3 | (x < y) << 4 | (x == y) << 5 | !(x >= z) << 6;
    out[23] = (unsigned char)fabsf(x) | (u32)(unsigned short)y << 16;
}

ELEMENT(doubles, 40) {
    const double a = x, b = (double)y * 1.000000001, c = z;
    put(out, a + b);
    put(out + 2, a * b);
    put(out + 4, fma(a, b, c));
    put(out + 6, a / b);
    put(out + 8, sqrt(fabs(b)));
    put(out + 10, __dadd_rz(a, b));
    put(out + 12, __dmul_ru(a, b));
    put(out + 14, __fma_rd(a, b, c));
    put(out + 16, __ddiv_rz(a, b));
    put(out + 18, __dsqrt_ru(fabs(b)));
    out[20] = __double2int_rn(b);
    out[21] = __double2uint_rz(b);
    out[22] = as(__double2float_rn(b));
    out[23] = as(__double2float_ru(b));
    put(out + 24, __int2double_rn((int)w));
    put(out + 26, __ull2double_rd((u64)w << 32 | w));
    put(out + 28, floor(b));
    put(out + 30, rint(b));
    out[32] = (u32)(__double2ll_rz(b) >> 8);
    out[33] = (a < b) | (a == c) << 1 | isnan(a) << 2 | isinf(b) << 3;
    put(out + 34, fmin(a, b));
    put(out + 36, fmax(a, c));
    out[38] = __double2hiint(b);
    out[39] = __double2loint(b);
}

// The special function unit.
ELEMENT(special, 16) {
    out[0] = as(__sinf(x));
    out[1] = as(__cosf(x));
    out[2] = as(__expf(y));
    out[3] = as(__logf(z));
    out[4] = as(__log2f(z));
    out[5] = as(__log10f(z));
    out[6] = as(__powf(z, y));
    out[7] = as(__fdividef(x, y));
    out[8] = as(rsqrtf(z));
    out[9] = as(__frsqrt_rn(z));
    out[10] = as(exp2f(y));
    out[11] = as(__exp10f(y));
    out[12] = as(__tanf(x));
    out[13] = as(sqrtf(z));
    out[14] = as(x / y);
    out[15] = as(1.0f / z);
}

// The library's functions, in terms of the instructions above.
ELEMENT(library, 30) {
    out[0] = as(sinf(x));
    out[1] = as(cosf(x));
    out[2] = as(tanf(x));
    out[3] = as(expf(y));
    out[4] = as(logf(z));
    out[5] = as(log2f(z));
    out[6] = as(log10f(z));
    out[7] = as(powf(z, y));
    out[8] = as(atan2f(x, y));
    out[9] = as(atanf(x));
    out[10] = as(asinf(sinf(x)));
    out[11] = as(acosf(cosf(x)));
    out[12] = as(hypotf(x, y));
    out[13] = as(cbrtf(x));
    out[14] = as(tanhf(y));
    out[15] = as(sinhf(y));
    out[16] = as(coshf(y));
    out[17] = as(expm1f(y));
    out[18] = as(log1pf(z));
    out[19] = as(erff(y));
    out[20] = as(fmodf(x, z));
    out[21] = as(remainderf(x, z));
    out[22] = as(ldexpf(x, 3));
    int e;
    out[23] = as(frexpf(x, &e));
    out[24] = e;
    out[25] = as(lgammaf(z));
    out[26] = as(tgammaf(y));
    out[27] = as(rsqrtf(z) * norm3df(x, y, z));
    out[28] = as(nextafterf(x, y));
    out[29] = lroundf(x) ^ lrintf(y) ^ ilogbf(z);
}

ELEMENT(library64, 20) {
    const double a = x, b = y, c = z;
    put(out, sin(a));
    put(out + 2, exp(b));
    put(out + 4, log(c));
    put(out + 6, pow(c, b));
    put(out + 8, atan2(a, b));
    put(out + 10, cbrt(a));
    put(out + 12, tanh(b));
    put(out + 14, fmod(a, c));
    put(out + 16, round(a) + trunc(b));
    put(out + 18, 1.0 / sqrt(c) + rsqrt(c));
}
