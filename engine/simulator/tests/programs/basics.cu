// Small kernels in the styles of the first labs, each with what the executor has to get right about it.
// basics.ptx is this file compiled by NVRTC 12.9.86 with
//   --gpu-architecture=compute_90 -default-device -lineinfo
typedef unsigned char uint8_t;
typedef unsigned int uint32_t;

__device__ int offset = 7;
__constant__ float weights[3] = {0.3f, 0.59f, 0.11f};

// Byte loads with a stride, constant memory, float arithmetic, a ragged last block.
extern "C" __global__ void gray(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = static_cast<uint8_t>(weights[0] * rgb[3 * i] + weights[1] * rgb[3 * i + 1] +
                                      weights[2] * rgb[3 * i + 2] + 0.5f);
    }
}

// Shared and global atomics, barriers, a grid-stride loop.
extern "C" __global__ void histogram(const uint8_t* __restrict__ in, uint32_t* bins, int n) {
    __shared__ uint32_t mine[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&mine[in[i]], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}

// Two-dimensional blocks, branches at the border, integer division.
extern "C" __global__ void box(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int width,
                               int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            const int xx = x + dx, yy = y + dy;
            if (xx >= 0 && xx < width && yy >= 0 && yy < height) {
                sum += in[yy * width + xx];
                count++;
            }
        }
    }
    out[y * width + x] = static_cast<uint8_t>((sum + count / 2) / count);
}

// Shuffles, static and dynamic shared memory together.
extern "C" __global__ void sum(const uint32_t* in, uint32_t* out, int n) {
    __shared__ uint32_t of_warp[32];
    extern __shared__ uint32_t of_thread[];
    uint32_t value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += in[i];
    of_thread[threadIdx.x] = value;
    for (int step = 16; step; step >>= 1) value += __shfl_down_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
        for (int step = 16; step; step >>= 1) value += __shfl_xor_sync(0xffffffff, value, step);
        if (threadIdx.x == 0) atomicAdd(&out[0], value);
    }
    if (threadIdx.x == 0) {
        uint32_t again = 0;
        for (int i = 0; i < static_cast<int>(blockDim.x); i++) again += of_thread[i];
        atomicAdd(&out[1], again);
    }
}

__device__ __noinline__ int quotient(int a, int b) { return a / b + offset; }

// A call that is not inlined, a local array indexed at run time, printf.
extern "C" __global__ void calls(int* out, int n) {
    int of[8];
    for (int k = 0; k < 8; k++) of[k] = quotient(static_cast<int>(threadIdx.x) * k, k + 1);
    int total = 0;
    for (int k = 0; k < n; k++) total += of[(threadIdx.x + k) & 7];
    out[threadIdx.x] = total;
    if (threadIdx.x == 3) printf("thread %d of %s: %5.2f %#x|%-4u|\n", 3, "calls", 1.5, 255, 9u);
}

// Divergence of every kind in one loop.
extern "C" __global__ void collatz(const uint32_t* start, uint32_t* steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t value = start[i], count = 0;
    while (value != 1) {
        if (value % 2 == 0) {
            value /= 2;
        } else {
            value = 3 * value + 1;
        }
        if (++count == 500) break;
    }
    steps[i] = count;
}

// A lock that lanes of one warp fight for: without fair scheduling this never ends.
extern "C" __global__ void locked(int* lock, volatile int* value) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *value = *value + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// The last block to finish adds up what the others stored.
__device__ uint32_t finished;
extern "C" __global__ void last_block(uint32_t* parts, uint32_t* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        uint32_t total = 0;
        for (uint32_t i = 0; i < gridDim.x; i++) total += static_cast<volatile uint32_t*>(parts)[i];
        *out = total;
    }
}

// Votes, matches, reductions, funnel shifts and byte permutes.
extern "C" __global__ void lanes(const uint32_t* in, uint32_t* out) {
    const uint32_t lane = threadIdx.x, value = in[lane];
    out[lane] = __ballot_sync(0xffffffff, value & 1);
    out[32 + lane] = __match_any_sync(0xffffffff, value % 5);
    out[64 + lane] = __reduce_add_sync(0xffffffff, value);
    out[96 + lane] = __funnelshift_l(value, lane, 5);
    out[128 + lane] = __byte_perm(value, lane, 0x5140);
    out[160 + lane] = __dp4a(value, 0x01020304u, lane);
    out[192 + lane] = __popc(value) + __clz(value) + __ffs(value) + __brev(value);
    if (lane % 3 == 0) out[224 + lane] = __shfl_sync(__activemask(), value, 9);
}

// ---- what must be found ----

extern "C" __global__ void past_the_end(uint8_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = 1;
}

extern "C" __global__ void misaligned(uint8_t* out) { reinterpret_cast<uint32_t*>(out + 1)[threadIdx.x] = 0; }

extern "C" __global__ void null_pointer(int* out) { out[threadIdx.x] = 1; }

extern "C" __global__ void endless(volatile int* flag) {
    while (*flag == 0) {
    }
}

extern "C" __global__ void barrier_in_branch(int* out, int n) {
    if (threadIdx.x < n) __syncthreads();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void barrier_after_return(int* out, int n) {
    if (threadIdx.x >= n) return;
    out[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x + 64] = 1;
}

extern "C" __global__ void beyond_shared(int* out, int n) {
    __shared__ int few[16];
    few[threadIdx.x % 16] = 1;
    few[threadIdx.x + n] = 2;
    __syncthreads();
    out[threadIdx.x] = few[threadIdx.x % 16];
}

extern "C" __global__ void asserts(int n) { assert(threadIdx.x < n); }

// Blocks that overwrite each other: the outcome must be that of running them in order.
extern "C" __global__ void colliding(uint32_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i % n] = out[(i + 1) % n] + static_cast<uint32_t>(i);
}
