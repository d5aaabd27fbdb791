// Integer instructions, element by element: each thread reads four words and writes several.
// The closures in `coverage_integer.rs` say the same in Rust.
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned short u16;
typedef unsigned char u8;

#define ELEMENT(name, results)                                               \
    __device__ __forceinline__ void name##_of(u32 x, u32 y, u32 z, u32 w, u32* out); \
    extern "C" __global__ void name(const uint4* in, u32* out, int n) {      \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                 \
        if (i < n) {                                                         \
            const uint4 v = in[i];                                           \
            name##_of(v.x, v.y, v.z, v.w, out + i * (results));              \
        }                                                                    \
    }                                                                        \
    __device__ __forceinline__ void name##_of(u32 x, u32 y, u32 z, u32 w, u32* out)

__device__ __forceinline__ void put64(u32* out, u64 value) {
    out[0] = (u32)value;
    out[1] = (u32)(value >> 32);
}

ELEMENT(bits, 12) {
    out[0] = __popc(x);
    out[1] = __clz(x);
    out[2] = __ffs(x);
    out[3] = __brev(x);
    out[4] = __funnelshift_l(x, y, z);
    out[5] = __funnelshift_r(x, y, z);
    out[6] = __funnelshift_lc(x, y, z);
    out[7] = __funnelshift_rc(x, y, z);
    out[8] = __byte_perm(x, y, z);
    out[9] = (x & y) ^ (z | ~w);
    out[10] = __fns(x, y & 31, (int)(z % 9) - 4);
    out[11] = x >> (y & 31) | x << (32 - (y & 31) & 31);
}

ELEMENT(bits64, 12) {
    const u64 a = (u64)y << 32 | x, b = (u64)w << 32 | z;
    put64(out, __brevll(a));
    out[2] = __popcll(a);
    out[3] = __clzll(a);
    out[4] = __ffsll(a);
    put64(out + 5, a >> (z & 63) ^ (u64)((s64)b >> (x & 63)));
    put64(out + 7, a << (w & 63));
    out[9] = (s64)a < (s64)b;
    out[10] = a < b;
    out[11] = a == b || (s64)a >= 17;
}

ELEMENT(products, 14) {
    out[0] = __mulhi((int)x, (int)y);
    out[1] = __umulhi(x, y);
    out[2] = __mul24((int)x, (int)y);
    out[3] = __umul24(x, y);
    out[4] = __sad((int)x, (int)y, z);
    out[5] = __usad(x, y, z);
    out[6] = x * y + z;
    put64(out + 7, (u64)x * y + ((u64)w << 32 | z));
    put64(out + 9, (u64)((s64)(int)x * (int)y));
    out[11] = __hadd((int)x, (int)y);
    out[12] = __rhadd((int)x, (int)y);
    out[13] = __uhadd(x, y) ^ __urhadd(x, y);
}

ELEMENT(products64, 12) {
    const u64 a = (u64)y << 32 | x, b = (u64)w << 32 | z;
    put64(out, a * b + a);
    put64(out + 2, __umul64hi(a, b));
    put64(out + 4, (u64)__mul64hi((s64)a, (s64)b));
    put64(out + 6, b == 0 ? a : a / b);
    put64(out + 8, (int)z == 0 ? 0 : (u64)((s64)a % (s64)(int)z));
    put64(out + 10, (u64)(min((s64)a, (s64)b) ^ (s64)max(a, b) ^ llabs((s64)b)));
}

ELEMENT(quotients, 10) {
    const int a = (int)x, b = (int)(y >> (z & 31)) | 1;
    out[0] = a / b;
    out[1] = a % b;
    out[2] = x / (u32)b;
    out[3] = x % (u32)b;
    out[4] = a / 7;
    out[5] = x % 255;
    out[6] = (short)x / (short)((short)y | 1);
    out[7] = (u16)x % (u16)(y | 1);
    out[8] = (signed char)x / (signed char)((y & 0x7f) | 1);
    out[9] = (u8)x / (u8)(y | 1);
}

ELEMENT(narrow, 12) {
    const short a = (short)x, b = (short)y;
    const u16 c = (u16)z, d = (u16)w;
    const signed char e = (signed char)x;
    const u8 f = (u8)y;
    out[0] = (u16)(a + b);
    out[1] = (short)(a * b);
    out[2] = a < b ? c : d;
    out[3] = (u16)(c >> (d & 15));
    out[4] = (int)(short)(a >> (d & 15));
    out[5] = (u16)(c << (d & 7));
    out[6] = (int)e * f;
    out[7] = (u8)(e + f);
    out[8] = (int)(signed char)(e - f);
    out[9] = max(min((int)a, 255), 0);
    out[10] = (u32)min(c, d) << 16 | max(c, d);
    out[11] = (u8)(x >> 8) | (u32)(u8)(y >> 16) << 8 | (u32)(u8)z << 16 | w << 24;
}

#if __CUDA_ARCH__ >= 610
ELEMENT(dots, 10) {
    out[0] = __dp4a((int)x, (int)y, (int)z);
    out[1] = __dp4a(x, y, z);
    out[2] = __dp2a_lo((int)x, (int)y, (int)z);
    out[3] = __dp2a_hi((int)x, (int)y, (int)z);
    out[4] = __dp2a_lo(x, y, z);
    out[5] = __dp2a_hi(x, y, z);
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(out[6]) : "r"(x), "r"(y), "r"(z));
    asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(out[7]) : "r"(x), "r"(y), "r"(z));
    asm("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(out[8]) : "r"(x), "r"(y), "r"(z));
    asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(out[9]) : "r"(x), "r"(y), "r"(z));
}

#endif

// The video instructions of byte and half-word vectors, as the compiler spells them on each architecture.
ELEMENT(vectors4, 26) {
    out[0] = __vadd4(x, y);
    out[1] = __vsub4(x, y);
    out[2] = __vaddus4(x, y);
    out[3] = __vaddss4(x, y);
    out[4] = __vsubus4(x, y);
    out[5] = __vsubss4(x, y);
    out[6] = __vabsdiffu4(x, y);
    out[7] = __vabsdiffs4(x, y);
    out[8] = __vavgu4(x, y);
    out[9] = __vavgs4(x, y);
    out[10] = __vhaddu4(x, y);
    out[11] = __vmaxu4(x, y);
    out[12] = __vmaxs4(x, y);
    out[13] = __vminu4(x, y);
    out[14] = __vmins4(x, y);
    out[15] = __vcmpgtu4(x, y);
    out[16] = __vcmpgts4(x, y);
    out[17] = __vcmpeq4(x, y ^ (z & 0x00ff00ff));
    out[18] = __vseteq4(x, (x & 0xffff) | (y << 16));
    out[19] = __vsetltu4(x, y);
    out[20] = __vsetles4(x, y);
    out[21] = __vsadu4(x, y);
    out[22] = __vsads4(x, y);
    out[23] = __vneg4(x);
    out[24] = __vabs4(x);
    out[25] = __vnegss4(x) ^ __vabsss4(y);
}

ELEMENT(vectors2, 20) {
    out[0] = __vadd2(x, y);
    out[1] = __vsub2(x, y);
    out[2] = __vaddus2(x, y);
    out[3] = __vaddss2(x, y);
    out[4] = __vsubus2(x, y);
    out[5] = __vsubss2(x, y);
    out[6] = __vabsdiffu2(x, y);
    out[7] = __vabsdiffs2(x, y);
    out[8] = __vavgu2(x, y);
    out[9] = __vavgs2(x, y);
    out[10] = __vmaxu2(x, y);
    out[11] = __vmaxs2(x, y);
    out[12] = __vminu2(x, y);
    out[13] = __vmins2(x, y);
    out[14] = __vcmpgeu2(x, y);
    out[15] = __vcmplts2(x, y);
    out[16] = __vsetne2(x, y);
    out[17] = __vsadu2(x, y);
    out[18] = __vsads2(x, y);
    out[19] = __vimax3_s32((int)x, (int)y, (int)z) ^ __vimin_s32_relu((int)x, (int)y) ^
              __viaddmax_u32(x, y, z) ^ __vimin3_u16x2(x, y, z);
}

// 128-bit sums and products: the compiler's own carry chains, and hand-written ones.
ELEMENT(wide, 16) {
    const u64 a = (u64)y << 32 | x, b = (u64)w << 32 | z;
    const unsigned __int128 p = (unsigned __int128)a * b + b;
    const unsigned __int128 s = ((unsigned __int128)a << 64 | b) + ((unsigned __int128)b << 64 | a);
    const unsigned __int128 d = ((unsigned __int128)a << 64 | b) - ((unsigned __int128)b << 64 | a);
    put64(out, (u64)p);
    put64(out + 2, (u64)(p >> 64));
    put64(out + 4, (u64)s);
    put64(out + 6, (u64)(s >> 64));
    put64(out + 8, (u64)d);
    put64(out + 10, (u64)(d >> 64));
    asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %3, %4;" : "=r"(out[12]), "=r"(out[13]) : "r"(x), "r"(y), "r"(z));
    asm("{\n\t"
        ".reg .u32 t;\n\t"
        "mul.lo.u32 %0, %2, %3;\n\t"
        "mul.hi.u32 %1, %2, %3;\n\t"
        "mad.lo.cc.u32 %0, %3, %4, %0;\n\t"
        "madc.hi.cc.u32 %1, %3, %4, %1;\n\t"
        "addc.u32 t, 0, 0;\n\t"
        "sub.cc.u32 %0, %0, %2;\n\t"
        "subc.cc.u32 %1, %1, t;\n\t"
        "subc.u32 %1, %1, 0;\n\t"
        "}"
        : "=&r"(out[14]), "=&r"(out[15])
        : "r"(x), "r"(y), "r"(z));
}

// What only assembly reaches.
ELEMENT(assembly, 22) {
    asm("bfind.u32 %0, %1;" : "=r"(out[0]) : "r"(x));
    asm("bfind.shiftamt.s32 %0, %1;" : "=r"(out[1]) : "r"(x));
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(out[2]) : "r"(x & 63), "r"(y & 63));
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(out[3]) : "r"(x), "r"(y));
    asm("szext.clamp.s32 %0, %1, %2;" : "=r"(out[4]) : "r"(x), "r"(y & 63));
    asm("szext.wrap.u32 %0, %1, %2;" : "=r"(out[5]) : "r"(x), "r"(y));
    asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(out[6]) : "r"(x), "r"(y), "r"(z));
    asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(out[7]) : "r"(x), "r"(y), "r"(z));
    asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(out[8]) : "r"(x), "r"(y), "r"(z));
    asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(out[9]) : "r"(x), "r"(y), "r"(z));
    asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(out[10]) : "r"(x), "r"(y), "r"(z));
    asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(out[11]) : "r"(x), "r"(y), "r"(z));
    asm("{\n\t.reg .pred p, q;\n\tsetp.lt.u32 q, %1, %2;\n\tlop3.or.b32 %0|p, %1, %2, %3, 0x96, q;\n\t"
        "selp.u32 %0, %0, 7, p;\n\t}"
        : "=r"(out[12])
        : "r"(x), "r"(y), "r"(z));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(out[13]) : "r"(x), "r"(y & 31), "r"(z & 31));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(out[14]) : "r"(x), "r"(y), "r"(z & 31), "r"(w & 31));
    asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(out[15]) : "r"(x), "r"(y));
    asm("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %3, 0;\n\tset.ge.and.f32.u32 %0, %1, %2, p;\n\t}"
        : "=r"(out[16])
        : "r"(x), "r"(y), "r"(z & 1));
    asm("vadd.u32.u32.u32.sat %0, %1.b0, %2.b3;" : "=r"(out[17]) : "r"(x), "r"(y));
    asm("vabsdiff.u32.s32.s32.add %0, %1.h0, %2.h1, %3;" : "=r"(out[18]) : "r"(x), "r"(y), "r"(z));
    asm("vmad.s32.s32.u32 %0, %1.b1, %2.h0, %3;" : "=r"(out[19]) : "r"(x), "r"(y), "r"(z));
    asm("vshl.u32.u32.u32.wrap %0, %1, %2;" : "=r"(out[20]) : "r"(x), "r"(y));
    asm("vset.u32.s32.lt %0, %1.b2, %2.b0;" : "=r"(out[21]) : "r"(x), "r"(y));
}
