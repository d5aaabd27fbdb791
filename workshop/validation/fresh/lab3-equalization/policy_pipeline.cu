// family: library pipeline
// style: templates: pixel packs, table policies with one interface, agents with shared temporary storage
// expected bottleneck: shared atomics with two copies of the counters per block
#include "workbook.cuh"

namespace lib {

template <int Bytes>
struct pack;
template <>
struct pack<8> {
    using type = uint2;
    static constexpr int words = 2;
    __device__ static void split(uint2 v, uint32_t* w) { w[0] = v.x, w[1] = v.y; }
    __device__ static uint2 join(const uint32_t* w) { return make_uint2(w[0], w[1]); }
};

template <class Policy>
struct agent_count {
    struct storage {
        uint32_t counts[Policy::copies][256];
    };
    storage& s;
    __device__ explicit agent_count(storage& s) : s(s) {
        for (int i = threadIdx.x; i < Policy::copies * 256; i += Policy::threads)
            (&s.counts[0][0])[i] = 0;
        __syncthreads();
    }
    __device__ void add(uint32_t word) {
        uint32_t* mine = s.counts[(threadIdx.x / 32) % Policy::copies];
#pragma unroll
        for (int k = 0; k < 4; ++k) atomicAdd(&mine[(word >> (8 * k)) & 255u], 1u);
    }
    __device__ void add_byte(uint32_t v) { atomicAdd(&s.counts[0][v], 1u); }
    __device__ void store(uint32_t* bins) {
        __syncthreads();
        for (int v = threadIdx.x; v < 256; v += Policy::threads) {
            uint32_t sum = 0;
            for (int c = 0; c < Policy::copies; ++c) sum += s.counts[c][v];
            if (sum != 0) atomicAdd(bins + v, sum);
        }
    }
};

template <class Policy>
__global__ void __launch_bounds__(Policy::threads)
    count_kernel(const uint8_t* __restrict__ in, uint32_t* __restrict__ bins, int n) {
    using P = pack<Policy::bytes>;
    __shared__ typename agent_count<Policy>::storage storage;
    agent_count<Policy> agent(storage);
    const auto* packs = reinterpret_cast<const typename P::type*>(in);
    const int whole = n / Policy::bytes;
    const int begin = blockIdx.x * Policy::threads * Policy::items + threadIdx.x;
    typename P::type item[Policy::items];
#pragma unroll
    for (int k = 0; k < Policy::items; ++k) {
        int i = begin + k * Policy::threads;
        if (i < whole) item[k] = packs[i];
    }
#pragma unroll
    for (int k = 0; k < Policy::items; ++k) {
        int i = begin + k * Policy::threads;
        if (i < whole) {
            uint32_t w[P::words];
            P::split(item[k], w);
            for (int j = 0; j < P::words; ++j) agent.add(w[j]);
        } else if (i == whole) {
            for (int j = whole * Policy::bytes; j < n; ++j) agent.add_byte(in[j]);
        }
    }
    agent.store(bins);
}

// One warp, eight levels per lane.
struct stretch_table {
    __device__ static void make(const uint32_t* bins, uint8_t* table, uint32_t n) {
        int lane = threadIdx.x;
        uint32_t enough = (n + 1023) / 1024;
        int low = 256, high = -1;
        for (int k = 0; k < 8; ++k) {
            int v = 8 * lane + k;
            if (bins[v] >= enough) {
                low = min(low, v);
                high = max(high, v);
            }
        }
        for (int d = 16; d > 0; d /= 2) {
            low = min(low, __shfl_xor_sync(~0u, low, d));
            high = max(high, __shfl_xor_sync(~0u, high, d));
        }
        int span = high - low;
        for (int k = 0; k < 8; ++k) {
            int v = 8 * lane + k;
            int inside = min(max(v - low, 0), span);
            table[v] = span == 0 ? v : (255 * inside + span / 2) / span;
        }
    }
};

struct equalize_table {
    __device__ static void make(const uint32_t* bins, uint8_t* table, uint32_t n) {
        int lane = threadIdx.x;
        uint32_t count[8], total = 0;
        for (int k = 0; k < 8; ++k) total += count[k] = bins[8 * lane + k];
        uint32_t before = total;
        for (int d = 1; d < 32; d *= 2) {
            uint32_t other = __shfl_up_sync(~0u, before, d);
            if (lane >= d) before += other;
        }
        before -= total;
        uint32_t first = 0;
        for (int k = 7; k >= 0; --k)
            if (count[k] != 0) first = count[k];
        unsigned some = __ballot_sync(~0u, total != 0);
        uint32_t smallest = __shfl_sync(~0u, first, __ffs(some) - 1);
        float scale = 255.0f / (float)(n - smallest);
        for (int k = 0; k < 8; ++k) {
            before += count[k];
            bool plain = n == smallest || before < smallest;
            table[8 * lane + k] = plain ? 8 * lane + k : (int)(scale * (before - smallest) + 0.5f);
        }
    }
};

template <class Table>
__global__ void table_kernel(const uint32_t* bins, uint8_t* table, uint32_t n) {
    Table::make(bins, table, n);
}

template <class Policy>
__global__ void __launch_bounds__(Policy::threads)
    map_kernel(const uint8_t* __restrict__ in, uint8_t* __restrict__ out,
               const uint8_t* __restrict__ table, int n) {
    using P = pack<Policy::bytes>;
    __shared__ uint8_t local[256];
    for (int v = threadIdx.x; v < 256; v += Policy::threads) local[v] = table[v];
    __syncthreads();
    const int whole = n / Policy::bytes;
    const int i = blockIdx.x * Policy::threads + threadIdx.x;
    if (i < whole) {
        uint32_t w[P::words];
        P::split(reinterpret_cast<const typename P::type*>(in)[i], w);
#pragma unroll
        for (int j = 0; j < P::words; ++j) {
            uint32_t a = local[w[j] & 255], b = local[(w[j] >> 8) & 255];
            uint32_t c = local[(w[j] >> 16) & 255], d = local[w[j] >> 24];
            w[j] = a | b << 8 | c << 16 | d << 24;
        }
        reinterpret_cast<typename P::type*>(out)[i] = P::join(w);
    } else if (i == whole) {
        for (int j = whole * Policy::bytes; j < n; ++j) out[j] = local[in[j]];
    }
}

struct tuned {
    static constexpr int threads = 256, items = 8, bytes = 8, copies = 2;
};

template <class Table>
void remap(const uint8_t* in, uint8_t* out, int n) {
    uint8_t* storage;
    WORKBOOK_CHECK(cudaMalloc(&storage, 1024 + 256));
    auto* bins = reinterpret_cast<uint32_t*>(storage);
    uint8_t* table = storage + 1024;
    WORKBOOK_CHECK(cudaMemsetAsync(bins, 0, 1024));
    const int packs = n / tuned::bytes + 1;
    count_kernel<tuned><<<ceil_div(packs, tuned::threads * tuned::items), tuned::threads>>>(in, bins, n);
    table_kernel<Table><<<1, 32>>>(bins, table, n);
    map_kernel<tuned><<<ceil_div(packs, (int)tuned::threads), tuned::threads>>>(in, out, table, n);
    WORKBOOK_CHECK(cudaFree(storage));
}

}  // namespace lib

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    lib::remap<lib::stretch_table>(gray, out, width * height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    lib::remap<lib::equalize_table>(gray, out, width * height);
}
