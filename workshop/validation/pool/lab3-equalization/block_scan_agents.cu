// family: agents
// style: BlockLoad, BlockScan and BlockStore written out as templates; the scan is raking: one warp sums segments of 8
// expected bottleneck: the blocked arrangement of byte loads in both passes
#include "workbook.cuh"

template <int Threads, int Items>
struct BlockLoadBytes {
    __device__ static int Load(const uint8_t* in, int n, int (&items)[Items]) {
        const int first = (blockIdx.x * Threads + threadIdx.x) * Items;
#pragma unroll
        for (int k = 0; k < Items; k++) items[k] = first + k < n ? in[first + k] : -1;
        return first;
    }
};

template <int Threads>
struct BlockScanRaking {
    static constexpr int segment = Threads / 32;
    struct TempStorage {
        uint32_t grid[Threads];
    };
    TempStorage& temp;
    __device__ void InclusiveSum(uint32_t in, uint32_t& out) {
        temp.grid[threadIdx.x] = in;
        __syncthreads();
        if (threadIdx.x < 32) {
            uint32_t* mine = temp.grid + threadIdx.x * segment;
            for (int k = 1; k < segment; k++) mine[k] += mine[k - 1];
            uint32_t total = mine[segment - 1];
            for (int d = 1; d < 32; d <<= 1) {
                const uint32_t other = __shfl_up_sync(0xffffffffu, total, d);
                if (threadIdx.x >= d) total += other;
            }
            const uint32_t before = __shfl_up_sync(0xffffffffu, total, 1);
            if (threadIdx.x > 0)
                for (int k = 0; k < segment; k++) mine[k] += before;
        }
        __syncthreads();
        out = temp.grid[threadIdx.x];
    }
};

template <int Threads, int Items>
__global__ void __launch_bounds__(Threads) AgentCount(const uint8_t* in, uint32_t* bins, int n) {
    __shared__ uint32_t h[256];
    for (int v = threadIdx.x; v < 256; v += Threads) h[v] = 0;
    __syncthreads();
    int items[Items];
    BlockLoadBytes<Threads, Items>::Load(in, n, items);
#pragma unroll
    for (int k = 0; k < Items; k++)
        if (items[k] >= 0) atomicAdd(&h[items[k]], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += Threads)
        if (h[v]) atomicAdd(&bins[v], h[v]);
}

struct EqualizeRule {
    __device__ uint8_t operator()(int v, uint32_t, uint32_t cdf, uint32_t least, int, int,
                                  int n) const {
        return (uint32_t)n == least || cdf < least ? v
            : (uint8_t)__double2int_rn(255.0 * (cdf - least) / (n - least));
    }
};

struct StretchRule {
    __device__ uint8_t operator()(int v, uint32_t, uint32_t, uint32_t, int low, int high,
                                  int) const {
        if (low == high) return v;
        return __double2int_rn(255.0 * min(max(v - low, 0), high - low) / (high - low));
    }
};

template <class Rule>
__global__ void AgentTable(const uint32_t* bins, uint8_t* table, int n, Rule rule) {
    __shared__ typename BlockScanRaking<256>::TempStorage storage;
    __shared__ uint32_t least;
    const int v = threadIdx.x;
    const uint32_t count = bins[v];
    uint32_t cdf;
    BlockScanRaking<256>{storage}.InclusiveSum(count, cdf);
    if (count > 0 && cdf == count) least = count;
    const bool matters = count >= (uint32_t)((n + 1023) / 1024);
    __shared__ int low, high;
    if (v == 0) {
        low = 255;
        high = 0;
    }
    __syncthreads();
    if (matters) {
        atomicMin(&low, v);
        atomicMax(&high, v);
    }
    __syncthreads();
    table[v] = rule(v, count, cdf, least, low, high, n);
}

template <int Threads, int Items>
__global__ void __launch_bounds__(Threads) AgentLookup(const uint8_t* in, uint8_t* out,
                                                       const uint8_t* table, int n) {
    int items[Items];
    const int first = BlockLoadBytes<Threads, Items>::Load(in, n, items);
#pragma unroll
    for (int k = 0; k < Items; k++)
        if (items[k] >= 0) out[first + k] = __ldg(table + items[k]);
}

template <class Rule>
void Dispatch(const uint8_t* gray, uint8_t* out, int n, Rule rule) {
    void* temp_storage;
    WORKBOOK_CHECK(cudaMalloc(&temp_storage, 1024 + 256));
    uint32_t* bins = (uint32_t*)temp_storage;
    uint8_t* table = (uint8_t*)temp_storage + 1024;
    WORKBOOK_CHECK(cudaMemsetAsync(bins, 0, 1024));
    AgentCount<256, 24><<<ceil_div(n, 256 * 24), 256>>>(gray, bins, n);
    AgentTable<<<1, 256>>>(bins, table, n, rule);
    AgentLookup<128, 12><<<ceil_div(n, 128 * 12), 128>>>(gray, out, table, n);
    WORKBOOK_CHECK(cudaFree(temp_storage));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    Dispatch(gray, out, width * height, StretchRule());
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    Dispatch(gray, out, width * height, EqualizeRule());
}
