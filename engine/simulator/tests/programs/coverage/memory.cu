// Loads, stores and the places they go to.
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;
typedef unsigned short u16;

struct Weights { float w[9]; int divisor; short bias; u8 mode; double scale; };
__constant__ Weights kernel_weights = {{1, 2, 1, 2, 4, 2, 1, 2, 1}, 16, -3, 7, 0.5};
__constant__ u8 palette[256] = {9, 8, 7, 6};
__device__ u32 counters[4] = {1, 2, 3, 4};
__device__ const char* names[2] = {"alpha", "beta"};
__device__ float4 vector_variable = {1.5f, 2.5f, 3.5f, 4.5f};

extern "C" __global__ void variables(u32* out) {
    const u32 i = threadIdx.x;
    out[8 * i] = palette[i & 3] + kernel_weights.mode;
    out[8 * i + 1] = (u32)(kernel_weights.w[i % 9] * kernel_weights.divisor + kernel_weights.bias);
    out[8 * i + 2] = counters[i & 3];
    out[8 * i + 3] = names[i & 1][i >> 1 & 3];
    out[8 * i + 4] = __float_as_uint(vector_variable.z);
    out[8 * i + 5] = (u32)(kernel_weights.scale * 10);
    if (i == 0) counters[3] = 100;
}

// Every width and cache hint.
extern "C" __global__ void hints(u32* in, u32* out) {
    const u32 i = threadIdx.x;
    // The last touch of the input is a store, so that no load may be moved over it.
    u32 sum = __ldg(in + i) + __ldcg(in + i + 1) + __ldca(in + i + 2) + __ldcs(in + i + 3) + __ldlu(in + i + 4) + __ldcv(in + i + 5);
    const uint4 four = __ldg((const uint4*)in + i);
    const uint2 two = __ldcs((const uint2*)in + i);
    const uchar4 bytes = ((const uchar4*)in)[i];
    const short2 shorts = ((const short2*)in)[i];
    const longlong2 longs = ((const longlong2*)in)[i];
    sum += four.w ^ two.y ^ bytes.z ^ (u32)shorts.y ^ (u32)(longs.y >> 32);
    __stwb(out + 4 * i, sum);
    __stcg(out + 4 * i + 1, four.x);
    __stcs(out + 4 * i + 2, two.x);
    __stwt(out + 4 * i + 3, (u32)(longs.x >> 16));
    ((uchar4*)(out + 128))[i] = make_uchar4(bytes.w, bytes.z, bytes.y, bytes.x);
    ((ushort2*)(out + 160))[i] = make_ushort2((u16)shorts.y, (u16)shorts.x);
    ((double2*)(out + 192))[i] = make_double2(i, 2.0 * i);
    volatile u32* spot = out + 320;
    spot[i] = spot[i] + 1;
}

struct Big { int values[20]; float factor; };
__device__ __noinline__ int pick(Big big, int index) { return big.values[index % 20] + (int)big.factor; }
__device__ __noinline__ Big build(int seed) {
    Big big;
    for (int k = 0; k < 20; k++) big.values[k] = seed * k;
    big.factor = seed + 0.5f;
    return big;
}

// Structures by value, into the kernel, into a function and out of one; arrays indexed at run time.
extern "C" __global__ void by_value(Big big, int* out) {
    const int i = threadIdx.x;
    const Big other = build(i);
    out[i] = pick(big, i) + pick(other, i + 3) + big.values[(i * 7) % 20];
    int local[16];
    for (int k = 0; k < 16; k++) local[(k + i) & 15] = k * i;
    u8* bytes = (u8*)local;
    out[64 + i] = bytes[(i * 5) & 63] + local[i & 15];
}

// Static and dynamic shared memory, generic pointers to each space.
__device__ __noinline__ u32 through(const u32* pointer) { return *pointer + 1; }
extern "C" __global__ void spaces(u32* out) {
    __shared__ u32 fixed[64];
    extern __shared__ u8 open[];
    u32 own[4] = {threadIdx.x, 1, 2, 3};
    u32* words = (u32*)open;
    fixed[threadIdx.x] = threadIdx.x * 3;
    words[threadIdx.x] = threadIdx.x * 5;
    __syncthreads();
    const u32 which = threadIdx.x & 3;
    const u32* pointer = which == 0 ? fixed + threadIdx.x : which == 1 ? words + threadIdx.x : which == 2 ? out + 64 : own;
    out[threadIdx.x] = through(pointer);
    out[128 + threadIdx.x] = __isShared(pointer) | __isGlobal(pointer) << 1 | __isLocal(pointer) << 2 | __isConstant(palette) << 3;
    if (threadIdx.x == 0) {
        u32 dynamic;
        asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
        out[256] = dynamic;
    }
}

#if __CUDA_ARCH__ >= 800
// Asynchronous copies to shared memory: of 4, 8 and 16 bytes, and one filled up with zeros.
extern "C" __global__ void copies(const u32* in, u32* out) {
    __shared__ __align__(16) u32 tile[4 * 32 * 4];
    const u32 i = threadIdx.x;
    const u32 at = (u32)__cvta_generic_to_shared(tile + 4 * i);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + 4 * i) : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at + 512), "l"(in + i) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at + 1024), "l"(in + 2 * i) : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(at + 1536), "l"(in + 4 * i), "r"(i % 5 * 4 > 16 ? 16 : i % 5 * 4) : "memory");
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 1;\n\tcp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (u32 k = i; k < 128; k += 32) out[k] = tile[k ^ 4];
    out[128 + i] = tile[128 + 4 * i];
    out[160 + 2 * i] = tile[256 + 4 * i];
    out[161 + 2 * i] = tile[257 + 4 * i];
    for (u32 k = 0; k < 4; k++) out[224 + 4 * i + k] = tile[384 + 4 * i + k];
}
#endif

extern "C" __global__ void system_registers(u32* out) {
    const u32 i = threadIdx.x + blockIdx.x * blockDim.x;
    const long long before = clock64();
#if __CUDA_ARCH__ >= 700
    __nanosleep(100);
#endif
    u32 lanes, warps;
    asm("mov.u32 %0, %%laneid;" : "=r"(lanes));
    asm("mov.u32 %0, %%nwarpid;" : "=r"(warps));
    u64 time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    asm volatile("pmevent 3;");
    out[4 * i] = lanes;
    out[4 * i + 1] = gridDim.x << 16 | gridDim.y << 8 | blockIdx.z;
    out[4 * i + 2] = clock64() >= before && clock() != 0x12345 && time != 1;
    out[4 * i + 3] = warpSize + (warps != 0);
#if __CUDA_ARCH__ >= 900
    u32 rank, size;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    out[4 * i] += rank + size - 1;
#endif
}
