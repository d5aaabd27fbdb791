// Atomics of every kind, type and scope. Each kernel runs on blocks of threads that meet in few cells.
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned short u16;

// All of a kind whose outcome does not depend on the order.
extern "C" __global__ void commuting(const u32* in, u32* cells, u64* wide, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u32 v = in[i];
    atomicAdd(&cells[0], v);
    atomicMin(&cells[1], v);
    atomicMax(&cells[2], v);
    atomicMin((int*)&cells[3], (int)v);
    atomicMax((int*)&cells[4], (int)v);
    atomicAnd(&cells[5], v | 0xff);
    atomicOr(&cells[6], v & 0xff00ff);
    atomicXor(&cells[7], v);
    atomicSub(&cells[8], v);
    atomicInc(&cells[9], 1000);
    atomicDec(&cells[10], 1000);
#if __CUDA_ARCH__ >= 600
    atomicAdd_block(&cells[11], 1);
    atomicAdd_system((int*)&cells[12], -1);
#endif
    atomicAdd(&wide[0], (u64)v << 8);
    atomicMax(&wide[1], (u64)v * v);
    atomicMin((long long*)&wide[2], -(long long)v);
    atomicXor(&wide[3], (u64)v << 32 | i);
    atomicOr(&wide[4], 1ull << (v & 63));
    atomicAnd(&wide[5], ~(1ull << (v & 63)));
}

// With results, which depend on the order: the simulator's is lane by lane, block by block.
extern "C" __global__ void ordered(const u32* in, u32* cells, u32* out, u64* wide) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[8 * i] = atomicAdd(&cells[0], in[i]);
    out[8 * i + 1] = atomicExch(&cells[1], in[i]);
    out[8 * i + 2] = atomicCAS(&cells[2], (u32)i, (u32)i + 1);
    out[8 * i + 3] = atomicInc(&cells[3], 6);
    out[8 * i + 4] = atomicDec(&cells[4], 6);
    out[8 * i + 5] = (u32)atomicExch(&wide[0], (u64)in[i] << 32 | 9);
    out[8 * i + 6] = (u32)atomicCAS(&wide[1], (u64)i, (u64)i + 1);
    out[8 * i + 7] = (u32)atomicMax((int*)&cells[5], (int)in[i]);
}

extern "C" __global__ void floating(const float* in, float* cells, double* wide, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    atomicAdd(&cells[0], in[i]);
    __shared__ float sum;
    if (i == 0) sum = 1.0f;
    __syncthreads();
    atomicAdd(&sum, in[i]);
    __syncthreads();
    if (i == 0) cells[1] = sum;
    cells[8 + i] = atomicExch(&cells[2], in[i]);
#if __CUDA_ARCH__ >= 600
    atomicAdd(&wide[0], (double)in[i]);
#endif
}

// The loop by which every other atomic is made.
extern "C" __global__ void by_compare_and_swap(const float* in, u32* cell, u64* wide, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u32 seen = *cell, expected;
    do {
        expected = seen;
        seen = atomicCAS(cell, expected, __float_as_uint(fmaxf(__uint_as_float(expected), in[i])));
    } while (seen != expected);
    u64 old = *wide, assumed;
    do {
        assumed = old;
        old = atomicCAS(wide, assumed, (u64)__double_as_longlong(__longlong_as_double((long long)assumed) + in[i]));
    } while (old != assumed);
}

extern "C" __global__ void shared_cells(const u32* in, u32* out) {
    __shared__ u32 cells[8];
    __shared__ u64 wide[2];
    const u32 v = in[threadIdx.x];
    if (threadIdx.x < 8) cells[threadIdx.x] = threadIdx.x == 1 ? 0xffffffff : 0;
    if (threadIdx.x < 2) wide[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&cells[0], v);
    atomicMin(&cells[1], v);
    atomicMax((int*)&cells[2], (int)v);
    atomicInc(&cells[3], 5);
    atomicXor(&cells[4], v);
    atomicAdd(&wide[0], (u64)v);
    atomicCAS(&cells[5], 0, v | 1);
    atomicExch(&cells[6], 77);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = cells[threadIdx.x];
    if (threadIdx.x < 2) ((u64*)(out + 8))[threadIdx.x] = wide[threadIdx.x];
}

#if __CUDA_ARCH__ >= 700
// Half-word cells, packed halves, and the orderings that C++ atomics use.
extern "C" __global__ void narrow_cells(u16* narrow, u32* pairs, u32* cells) {
    const u32 i = threadIdx.x;
    u16 seen = *(volatile u16*)narrow, expected;
    do {
        expected = seen;
        seen = atomicCAS(narrow, expected, (u16)(expected + 3));
    } while (seen != expected);
    u32 d;
    asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;" : "=r"(d) : "l"(pairs), "r"(0x3c004000u) : "memory");
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(pairs + 1), "r"(0x38003400u) : "memory");
    u16 h;
    asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;" : "=h"(h) : "l"(narrow + 1), "h"((u16)0x3c00) : "memory");
    asm volatile("atom.global.acq_rel.gpu.add.u32 %0, [%1], %2;" : "=r"(d) : "l"(cells), "r"(i) : "memory");
    asm volatile("red.relaxed.sys.global.max.u32 [%0], %1;" ::"l"(cells + 1), "r"(i) : "memory");
    asm volatile("red.release.cta.global.add.s32 [%0], %1;" ::"l"(cells + 2), "r"(-2) : "memory");
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(cells + 3), "r"(5) : "memory");
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(d) : "l"(cells + 3) : "memory");
    asm volatile("fence.acq_rel.gpu;\n\tfence.sc.cta;\n\tmembar.gl;" ::: "memory");
    cells[8 + i] = d;
}
#endif
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void vector_cells(float* cells) {
    float4 d = atomicAdd((float4*)cells, make_float4(1, 2, 3, 4));
    atomicAdd((float2*)(cells + 4), make_float2(d.x, 0.5f));
}
#endif
