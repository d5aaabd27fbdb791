// family: warp intrinsics
// style: a level's table entry by ballots: each block finds range or rank with votes and shuffles; pixels are counted by match_any into global bins of 8 copies
// expected bottleneck: match_any and global atomics of leaders
#include "workbook.cuh"

constexpr unsigned int full = 0xffffffffu;

__global__ void match_count(const uint8_t* gray, uint32_t* copies, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int level = i < n ? gray[i] : 256;
    const unsigned int peers = __match_any_sync(full, level);
    const int leader = __ffs(peers) - 1;
    if (i < n && (threadIdx.x & 31) == leader)
        atomicAdd(&copies[256 * (blockIdx.x & 7) + level], __popc(peers));
}

__device__ uint32_t warp_scan(uint32_t v) {
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const uint32_t o = __shfl_up_sync(full, v, d);
        v += (threadIdx.x & 31) >= d ? o : 0;
    }
    return v;
}

__global__ void vote_table(const uint32_t* copies, uint8_t* table, int n, bool stretch) {
    __shared__ uint32_t totals[8];
    __shared__ int lowest[8], highest[8];
    __shared__ uint32_t lowest_count[8];
    const int v = threadIdx.x, lane = v & 31, warp = v / 32;
    uint32_t count = 0;
    for (int k = 0; k < 8; k++) count += copies[256 * k + v];
    const uint32_t scan = warp_scan(count);
    const unsigned int set = __ballot_sync(full,
                                           stretch ? count >= (uint32_t)((n + 1023) / 1024)
                                               : count > 0);
    if (lane == 31) totals[warp] = scan;
    if (lane == 0) {
        lowest[warp] = set ? 32 * warp + __ffs(set) - 1 : 256;
        highest[warp] = set ? 32 * warp + 31 - __clz(set) : -1;
    }
    if (set && lane == __ffs(set) - 1) lowest_count[warp] = count;
    __syncthreads();
    uint32_t cdf = scan, least = 0;
    int low = 256, high = -1;
    for (int k = 7; k >= 0; k--) {
        if (k < warp) cdf += totals[k];
        if (lowest[k] < 256) {
            low = lowest[k];
            least = lowest_count[k];
        }
        high = max(high, highest[k]);
    }
    if (low == high) table[v] = v;
    else if (stretch) table[v] =
        __float2int_rn(__saturatef((float)(v - low) / (high - low)) * 255.0f);
    else table[v] = cdf < least ? 0 : __double2int_rn((double)(cdf - least) * 255.0 / (n - least));
}

__global__ void shuffle_map(const uint8_t* gray, uint8_t* out, const uint8_t* table, int n) {
    // Lane k keeps the entries 8k to 8k + 7.
    const uint2 mine = reinterpret_cast<const uint2*>(table)[threadIdx.x & 31];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = i < n ? gray[i] : 0;
    const uint32_t x = __shfl_sync(full, mine.x, v / 8), y = __shfl_sync(full, mine.y, v / 8);
    if (i < n) out[i] = __byte_perm(x, y, v % 8);
}

static void votes(const uint8_t* gray, uint8_t* out, int n, bool stretch) {
    uint32_t* copies;
    uint8_t* table;
    WORKBOOK_CHECK(cudaMalloc(&copies, 8 * 1024));
    WORKBOOK_CHECK(cudaMalloc(&table, 256));
    WORKBOOK_CHECK(cudaMemset(copies, 0, 8 * 1024));
    match_count<<<ceil_div(n, 512), 512>>>(gray, copies, n);
    vote_table<<<1, 256>>>(copies, table, n, stretch);
    shuffle_map<<<ceil_div(n, 512), 512>>>(gray, out, table, n);
    WORKBOOK_CHECK(cudaFree(copies));
    WORKBOOK_CHECK(cudaFree(table));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    votes(gray, out, width * height, true);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    votes(gray, out, width * height, false);
}
