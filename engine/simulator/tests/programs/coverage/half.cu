// Half precision and bfloat16, by assembly: NVRTC alone brings no cuda_fp16.h.
typedef unsigned int u32;
typedef unsigned short u16;

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

#define ONE(d, op, a) { u16 d_; asm(op " %0, %1;" : "=h"(d_) : "h"((u16)(a))); d = d_; }
#define TWO(d, op, a, b) { u16 d_; asm(op " %0, %1, %2;" : "=h"(d_) : "h"((u16)(a)), "h"((u16)(b))); d = d_; }
#define THREE(d, op, a, b, c) { u16 d_; asm(op " %0, %1, %2, %3;" : "=h"(d_) : "h"((u16)(a)), "h"((u16)(b)), "h"((u16)(c))); d = d_; }
#define PAIR1(d, op, a) asm(op " %0, %1;" : "=r"(d) : "r"(a))
#define PAIR2(d, op, a, b) asm(op " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b))
#define PAIR3(d, op, a, b, c) asm(op " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c))
#define FROM(d, op, a) asm(op " %0, %1;" : "=r"(d) : "h"((u16)(a)))
#define TO(d, op, a) { u16 d_; asm(op " %0, %1;" : "=h"(d_) : "r"(a)); d = d_; }

#if __CUDA_ARCH__ >= 530
ELEMENT(f16, 18) {
    TWO(out[0], "add.f16", x, y);
    TWO(out[1], "sub.rn.f16", x, y);
    TWO(out[2], "mul.f16", x, y);
    THREE(out[3], "fma.rn.f16", x, y, z);
    TWO(out[4], "add.ftz.f16", x, y);
    TWO(out[5], "mul.sat.f16", x, y);
    THREE(out[6], "fma.rn.ftz.sat.f16", x, y, z);
    ONE(out[7], "neg.f16", x);
    ONE(out[8], "abs.f16", x);
    PAIR2(out[9], "add.f16x2", x, y);
    PAIR2(out[10], "sub.f16x2", x, y);
    PAIR2(out[11], "mul.rn.f16x2", x, y);
    PAIR3(out[12], "fma.rn.f16x2", x, y, z);
    PAIR3(out[13], "fma.rn.ftz.f16x2", x, y, z);
    PAIR2(out[14], "set.lt.f16x2.f16x2", x, y);
    asm("{\n\t.reg .pred p, q;\n\tsetp.ge.f16x2 p|q, %1, %2;\n\tselp.u32 %0, 1, 2, p;\n\t@q add.u32 %0, %0, 8;\n\t}" : "=r"(out[15]) : "r"(x), "r"(y));
    asm("{\n\t.reg .pred p;\n\tsetp.ltu.f16 p, %1, %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(out[16]) : "h"((u16)x), "h"((u16)y));
    asm("set.eq.u32.f16 %0, %1, %2;" : "=r"(out[17]) : "h"((u16)x), "h"((u16)(w & 1 ? x : y)));
}
#endif

ELEMENT(f16_convert, 22) {
    FROM(out[0], "cvt.f32.f16", x);
    TO(out[1], "cvt.rn.f16.f32", y);
    TO(out[2], "cvt.rz.f16.f32", y);
    FROM(out[3], "cvt.rni.s32.f16", x);
    FROM(out[4], "cvt.rzi.u32.f16", x);
    FROM(out[5], "cvt.rpi.s32.f16", x);
    FROM(out[6], "cvt.rmi.s32.f16", x);
    TO(out[7], "cvt.rn.f16.s32", z);
    TO(out[8], "cvt.rn.f16.u32", z);
    TO(out[9], "cvt.rm.f16.u32", z);
    ONE(out[10], "cvt.rn.f16.s16", z);
    ONE(out[11], "cvt.rni.f16.f16", x);
    ONE(out[12], "cvt.rzi.f16.f16", x);
    ONE(out[13], "cvt.rmi.f16.f16", x);
    ONE(out[14], "cvt.rpi.f16.f16", x);
    asm("{\n\t.reg .f64 d;\n\tcvt.f64.f16 d, %2;\n\tmov.b64 {%0, %1}, d;\n\t}" : "=r"(out[15]), "=r"(out[16]) : "h"((u16)x));
    asm("{\n\t.reg .f64 d;\n\t.reg .b16 h;\n\tmov.b64 d, {%1, %2};\n\tcvt.rn.f16.f64 h, d;\n\tcvt.u32.u16 %0, h;\n\t}" : "=r"(out[17]) : "r"(z), "r"(y));
    TO(out[18], "cvt.rn.ftz.f16.f32", y);
    TO(out[19], "cvt.rn.sat.f16.f32", y);
    ONE(out[20], "cvt.rzi.u8.f16", x);
    FROM(out[21], "cvt.ftz.f32.f16", x);
}

#if __CUDA_ARCH__ >= 750
ELEMENT(f16_special, 4) {
    ONE(out[0], "tanh.approx.f16", x);
    ONE(out[1], "ex2.approx.f16", y);
    PAIR1(out[2], "tanh.approx.f16x2", x);
    PAIR1(out[3], "ex2.approx.f16x2", y);
}
#endif

#if __CUDA_ARCH__ >= 900
ELEMENT(bf16, 26) {
    TWO(out[0], "add.rn.bf16", x, y);
    TWO(out[1], "sub.bf16", x, y);
    TWO(out[2], "mul.bf16", x, y);
    THREE(out[3], "fma.rn.bf16", x, y, z);
    THREE(out[4], "fma.rn.relu.bf16", x, y, z);
    ONE(out[5], "neg.bf16", x);
    ONE(out[6], "abs.bf16", x);
    TWO(out[7], "min.bf16", x, y);
    TWO(out[8], "max.NaN.bf16", x, y);
    PAIR2(out[9], "add.bf16x2", x, y);
    PAIR2(out[10], "mul.bf16x2", x, y);
    PAIR3(out[11], "fma.rn.bf16x2", x, y, z);
    PAIR2(out[12], "min.bf16x2", x, y);
    TWO(out[13], "min.f16", x, y);
    TWO(out[14], "max.f16", x, y);
    TWO(out[15], "max.NaN.f16", x, y);
    PAIR2(out[16], "min.f16x2", x, y);
    PAIR2(out[17], "max.ftz.f16x2", x, y);
    TWO(out[18], "min.xorsign.abs.f16", x, y);
    FROM(out[19], "cvt.f32.bf16", x);
    TO(out[20], "cvt.rn.bf16.f32", y);
    TO(out[21], "cvt.rz.bf16.f32", y);
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(out[22]) : "f"(__uint_as_float(y)), "f"(__uint_as_float(z)));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(out[23]) : "f"(__uint_as_float(y)), "f"(__uint_as_float(z)));
    asm("cvt.rz.relu.f16x2.f32 %0, %1, %2;" : "=r"(out[24]) : "f"(__uint_as_float(y)), "f"(__uint_as_float(z)));
    asm("{\n\t.reg .pred p;\n\tsetp.gt.bf16 p, %1, %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(out[25]) : "h"((u16)x), "h"((u16)y));
}
#endif
