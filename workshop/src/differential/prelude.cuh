// What every generated kernel may use. Nothing here is undefined for any argument: where C++ leaves a case
// open (division by zero, shifts beyond the width, overflow of signed types), the instruction is written in
// PTX or the case is taken out.
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef float f32;
typedef double f64;

// The bits of a number, with one NaN for all: PTX leaves open which NaN an operation gives.
__device__ __forceinline__ u64 bits(f32 x) { return x != x ? 0x7fc00000u : __float_as_uint(x); }
__device__ __forceinline__ u64 bits(f64 x) {
    return x != x ? 0x7ff8000000000000ull : (u64)__double_as_longlong(x);
}
template <class T> __device__ __forceinline__ u64 bits(T x) { return (u64)x; }

// No divisor is 0, and none is -1: the smallest number divided by it overflows.
template <class T> __device__ __forceinline__ T divisor(T x) {
    return x == (T)0 || x == (T)-1 ? (T)3 : x;
}

#define TERNARY(name, code, type, constraint)                                            \
    __device__ __forceinline__ type name(type a, type b, type c) {                       \
        type d;                                                                          \
        asm(code " %0, %1, %2, %3;" : "=" constraint(d)                                  \
            : constraint(a), constraint(b), constraint(c));                              \
        return d;                                                                        \
    }
#define SHIFT(name, code, type, constraint)                                              \
    __device__ __forceinline__ type name(type a, u32 b) {                                \
        type d;                                                                          \
        asm(code " %0, %1, %2;" : "=" constraint(d) : constraint(a), "r"(b));            \
        return d;                                                                        \
    }
#define UNARY(name, code, to, to_constraint, from, from_constraint)                      \
    __device__ __forceinline__ to name(from a) {                                         \
        to d;                                                                            \
        asm(code " %0, %1;" : "=" to_constraint(d) : from_constraint(a));                \
        return d;                                                                        \
    }
#define FIELD(name, code, type, constraint)                                              \
    __device__ __forceinline__ type name(type a, u32 b, u32 c) {                         \
        type d;                                                                          \
        asm(code " %0, %1, %2, %3;" : "=" constraint(d) : constraint(a), "r"(b), "r"(c)); \
        return d;                                                                        \
    }
#define INSERT(name, code, type, constraint)                                             \
    __device__ __forceinline__ type name(type a, type b, u32 c, u32 e) {                 \
        type d;                                                                          \
        asm(code " %0, %1, %2, %3, %4;" : "=" constraint(d)                              \
            : constraint(a), constraint(b), "r"(c), "r"(e));                             \
        return d;                                                                        \
    }

// Shifts by any amount: PTX clamps it to the width.
SHIFT(shl16, "shl.b16", u16, "h")
SHIFT(shr16, "shr.u16", u16, "h")
SHIFT(sar16, "shr.s16", s16, "h")
SHIFT(shl32, "shl.b32", u32, "r")
SHIFT(shr32, "shr.u32", u32, "r")
SHIFT(sar32, "shr.s32", s32, "r")
SHIFT(shl64, "shl.b64", u64, "l")
SHIFT(shr64, "shr.u64", u64, "l")
SHIFT(sar64, "shr.s64", s64, "l")
// Position and length count modulo 256.
FIELD(bfe_u32, "bfe.u32", u32, "r")
FIELD(bfe_s32, "bfe.s32", s32, "r")
FIELD(bfe_u64, "bfe.u64", u64, "l")
FIELD(bfe_s64, "bfe.s64", s64, "l")
INSERT(bfi_b32, "bfi.b32", u32, "r")
INSERT(bfi_b64, "bfi.b64", u64, "l")
TERNARY(prmt, "prmt.b32", u32, "r")
TERNARY(sad_s32, "sad.s32", s32, "r")
TERNARY(sad_u32, "sad.u32", u32, "r")
TERNARY(mad_hi_u32, "mad.hi.u32", u32, "r")
TERNARY(mad_hi_s32, "mad.hi.s32", s32, "r")
TERNARY(mad24_u32, "mad24.lo.u32", u32, "r")
TERNARY(mad_u16, "mad.lo.u16", u16, "h")
TERNARY(slct_s32, "slct.s32.s32", s32, "r")
UNARY(abs_s32, "abs.s32", s32, "r", s32, "r")
UNARY(abs_s64, "abs.s64", s64, "l", s64, "l")
UNARY(abs_s16, "abs.s16", s16, "h", s16, "h")
UNARY(cnot_b32, "cnot.b32", u32, "r", u32, "r")
UNARY(bfind_u32, "bfind.u32", u32, "r", u32, "r")
UNARY(bfind_s32, "bfind.s32", u32, "r", s32, "r")
UNARY(bfind_u64, "bfind.u64", u32, "r", u64, "l")
UNARY(bfind_shift, "bfind.shiftamt.u32", u32, "r", u32, "r")
UNARY(sat_s16, "cvt.sat.s16.s32", s16, "h", s32, "r")
UNARY(sat_u16, "cvt.sat.u16.s32", u16, "h", s32, "r")
UNARY(sat_u32, "cvt.sat.u32.s64", u32, "r", s64, "l")
UNARY(sat_s32, "cvt.sat.s32.u64", s32, "r", u64, "l")
// Saturating sums.
__device__ __forceinline__ s32 add_sat(s32 a, s32 b) {
    s32 d;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
__device__ __forceinline__ s32 sub_sat(s32 a, s32 b) {
    s32 d;
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
    return d;
}
// Any function of three bits.
#define LOP3(name, table)                                                                \
    __device__ __forceinline__ u32 name(u32 a, u32 b, u32 c) {                           \
        u32 d;                                                                           \
        asm("lop3.b32 %0, %1, %2, %3, " table ";" : "=r"(d) : "r"(a), "r"(b), "r"(c));   \
        return d;                                                                        \
    }
LOP3(lop3_96, "0x96")
LOP3(lop3_ca, "0xca")
LOP3(lop3_1d, "0x1d")
LOP3(lop3_b4, "0xb4")

struct Pair {
    u32 low;
    u8 tag;
    u64 high;
};
struct Small {
    u8 a;
    s8 b;
    u16 c;
    s32 d;
};
