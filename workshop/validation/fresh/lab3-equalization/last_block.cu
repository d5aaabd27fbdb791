// family: last block finishes
// style: micro-optimised: the last block of the first pass makes the table; vectors of 16 bytes, fixed grids
// expected bottleneck: memory bandwidth of two passes; shared atomics with eight copies of the counters
#include "workbook.cuh"

constexpr int threads = 256;
constexpr int blocks = 528;
constexpr int copies = 8;

struct State {
    uint32_t bins[256];
    uint32_t done;
    uint32_t padding[63];
    uint8_t table[256];
};

// Runs in one block of 256 threads, thread v makes entry v.
template <bool equalizing>
__device__ void make_table(const volatile uint32_t* bins, uint8_t* table, uint32_t pixels) {
    __shared__ uint32_t warp_sum[8];
    __shared__ int low, high;
    int v = threadIdx.x, lane = v & 31, warp = v >> 5;
    uint32_t mine = bins[v];
    if (v == 0) low = 255, high = 0;
    uint32_t cdf = mine;
    for (int d = 1; d < 32; d <<= 1) {
        uint32_t up = __shfl_up_sync(0xffffffffu, cdf, d);
        if (lane >= d) cdf += up;
    }
    if (lane == 31) warp_sum[warp] = cdf;
    __syncthreads();
    for (int w = 0; w < warp; w++) cdf += warp_sum[w];
    bool matters = equalizing ? mine != 0 : mine >= (pixels + 1023) / 1024;
    if (matters) {
        atomicMin(&low, v);
        atomicMax(&high, v);
    }
    __syncthreads();
    uint32_t level = v;
    if (equalizing) {
        uint32_t smallest = bins[low];
        if (smallest != pixels)
            level = cdf < smallest ? 0
                                   : __float2uint_rn(__fdividef((cdf - smallest) * 255.0f,
                                                                (float)(pixels - smallest)));
    } else if (low != high) {
        level = __float2uint_rn(__saturatef((float)(v - low) / (high - low)) * 255.0f);
    }
    table[v] = level;
}

template <bool equalizing>
__global__ void __launch_bounds__(threads) count(const uint8_t* __restrict__ gray, State* state,
                                                 int pixels) {
    __shared__ uint32_t counts[copies * 257];
    __shared__ bool last;
    for (int i = threadIdx.x; i < copies * 257; i += threads) counts[i] = 0;
    __syncthreads();
    uint32_t* mine = counts + (threadIdx.x % copies) * 257;
    int vectors = pixels / 16;
    const uint4* in = (const uint4*)gray;
    for (int i = blockIdx.x * threads + threadIdx.x; i < vectors; i += blocks * threads) {
        uint4 v = in[i];
        uint32_t w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 16; k++) atomicAdd(mine + __byte_perm(w[k / 4], 0, 0x4440 + k % 4), 1u);
    }
    if (blockIdx.x == blocks - 1 && threadIdx.x < pixels % 16)
        atomicAdd(mine + gray[vectors * 16 + threadIdx.x], 1u);
    __syncthreads();
    uint32_t sum = 0;
    for (int c = 0; c < copies; c++) sum += counts[c * 257 + threadIdx.x];
    atomicAdd(&state->bins[threadIdx.x], sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&state->done, 1u) == blocks - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        make_table<equalizing>(state->bins, state->table, pixels);
    }
}

__global__ void __launch_bounds__(threads) map(const uint8_t* __restrict__ gray,
                                               uint8_t* __restrict__ out,
                                               const State* __restrict__ state, int pixels) {
    __shared__ uint32_t table[256];
    table[threadIdx.x] = state->table[threadIdx.x];
    __syncthreads();
    int vectors = pixels / 16;
    for (int i = blockIdx.x * threads + threadIdx.x; i < vectors; i += 2 * blocks * threads) {
        uint4 v = ((const uint4*)gray)[i];
        uint32_t w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; k++)
            w[k] = table[w[k] & 255] | table[w[k] >> 8 & 255] << 8 | table[w[k] >> 16 & 255] << 16 |
                   table[w[k] >> 24] << 24;
        __stcs((uint4*)out + i, make_uint4(w[0], w[1], w[2], w[3]));
    }
    if (blockIdx.x == 0 && threadIdx.x < pixels % 16) {
        int i = vectors * 16 + threadIdx.x;
        out[i] = table[gray[i]];
    }
}

template <bool equalizing>
static void run(const uint8_t* gray, uint8_t* out, int pixels) {
    State* state;
    WORKBOOK_CHECK(cudaMalloc(&state, sizeof(State)));
    WORKBOOK_CHECK(cudaMemset(state, 0, sizeof(State)));
    count<equalizing><<<blocks, threads>>>(gray, state, pixels);
    map<<<2 * blocks, threads>>>(gray, out, state, pixels);
    WORKBOOK_CHECK(cudaFree(state));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<false>(gray, out, width * height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<true>(gray, out, width * height);
}
