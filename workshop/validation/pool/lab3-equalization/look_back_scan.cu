// family: tickets and flags
// style: decoupled look-back over eight blocks of 32 levels, with volatile flags and a ticket for the order of blocks
// expected bottleneck: two passes over memory; the chain of flags between them is short
#include "workbook.cuh"

constexpr int chunks = 8;

struct State {
    uint32_t bins[256];
    uint32_t inclusive[chunks];
    uint32_t least[chunks];
    int flag[chunks];
    int ticket;
    int low, high;
};

__global__ void counting(const uint8_t* gray, State* state, int n) {
    __shared__ uint32_t local[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x) (&local[0][0])[i] = 0;
    __syncthreads();
    const int words = n / 4;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        const uchar4 v = reinterpret_cast<const uchar4*>(gray)[i];
        uint32_t* mine = local[threadIdx.x / 32 % 8];
        atomicAdd(mine + v.x, 1u);
        atomicAdd(mine + v.y, 1u);
        atomicAdd(mine + v.z, 1u);
        atomicAdd(mine + v.w, 1u);
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        atomicAdd(&local[0][gray[4 * words + threadIdx.x]], 1u);
    __syncthreads();
    uint32_t sum = 0;
    for (int w = 0; w < 8; w++) sum += local[w][threadIdx.x];
    if (sum) atomicAdd(&state->bins[threadIdx.x], sum);
}

// One warp per block.
__global__ void scan_chunks(State* state, uint8_t* table, int n, bool stretch) {
    const int lane = threadIdx.x;
    int order = 0;
    if (lane == 0) order = atomicAdd(&state->ticket, 1);
    order = __shfl_sync(0xffffffffu, order, 0);
    const int level = 32 * order + lane;
    const uint32_t count = state->bins[level];

    uint32_t scan = count;
    for (int d = 1; d < 32; d *= 2) {
        const uint32_t below = __shfl_up_sync(0xffffffffu, scan, d);
        if (lane >= d) scan += below;
    }
    const unsigned occurs = __ballot_sync(0xffffffffu, count > 0);
    const uint32_t first = __shfl_sync(0xffffffffu, count, occurs ? __ffs(occurs) - 1 : 0);
    uint32_t before = 0, least = 0;
    if (order > 0) {
        if (lane == 0) {
            while (*(volatile int*)&state->flag[order - 1] == 0) {}
            __threadfence();
            before = *(volatile uint32_t*)&state->inclusive[order - 1];
            least = *(volatile uint32_t*)&state->least[order - 1];
        }
        before = __shfl_sync(0xffffffffu, before, 0);
        least = __shfl_sync(0xffffffffu, least, 0);
    }
    if (least == 0) least = first;
    if (lane == 31) {
        *(volatile uint32_t*)&state->inclusive[order] = before + scan;
        *(volatile uint32_t*)&state->least[order] = least;
        __threadfence();
        *(volatile int*)&state->flag[order] = 1;
    }
    if (!stretch) {
        const uint32_t cdf = before + scan, range = n - least;
        table[level] = range == 0 || cdf < least ? level
            : __float2uint_rn(255.0f * (float)(cdf - least) / (float)range);
        return;
    }
    if (count >= (uint32_t)((n + 1023) / 1024)) {
        atomicMin(&state->low, level);
        atomicMax(&state->high, level);
    }
}

__global__ void stretch_table(const State* state, uint8_t* table) {
    const int v = threadIdx.x, low = state->low, high = state->high;
    const float slope = high > low ? 255.0f / (high - low) : 1.0f;
    table[v] = high == low ? v : __float2uint_rn(fminf(fmaxf((v - low) * slope, 0.0f), 255.0f));
}

__global__ void lookup(const uint8_t* gray, uint8_t* out, const uint8_t* table, int n) {
    __shared__ uint8_t local[256];
    local[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    const int q = blockIdx.x * 256 + threadIdx.x;
    if (4 * q + 3 < n) {
        const uchar4 v = reinterpret_cast<const uchar4*>(gray)[q];
        reinterpret_cast<uchar4*>(out)[q] = make_uchar4(local[v.x], local[v.y], local[v.z],
                                                        local[v.w]);
    } else {
        for (int i = 4 * q; i < n; i++) out[i] = local[gray[i]];
    }
}

static void run_steps(const uint8_t* gray, uint8_t* out, int n, bool stretch) {
    State start = {};
    start.low = 255;
    State* state;
    uint8_t* table;
    WORKBOOK_CHECK(cudaMalloc(&state, sizeof(State)));
    WORKBOOK_CHECK(cudaMalloc(&table, 256));
    WORKBOOK_CHECK(cudaMemcpy(state, &start, sizeof(State), cudaMemcpyHostToDevice));
    counting<<<528, 256>>>(gray, state, n);
    scan_chunks<<<chunks, 32>>>(state, table, n, stretch);
    if (stretch) stretch_table<<<1, 256>>>(state, table);
    lookup<<<ceil_div(n, 1024), 256>>>(gray, out, table, n);
    WORKBOOK_CHECK(cudaFree(table));
    WORKBOOK_CHECK(cudaFree(state));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    run_steps(gray, out, width * height, true);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    run_steps(gray, out, width * height, false);
}
