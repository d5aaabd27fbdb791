// family: wide loads
// style: 16 pixels per load and store; the table holds pairs of levels, so that one look-up translates two pixels: 64 Ki entries in global memory
// expected bottleneck: L1 and L2 traffic of the table of pairs, 128 KiB
#include "workbook.cuh"

__device__ __forceinline__ void tally(uint32_t* h, uint32_t w) {
    atomicAdd(&h[w & 255], 1u);
    atomicAdd(&h[(w >> 8) & 255], 1u);
    atomicAdd(&h[(w >> 16) & 255], 1u);
    atomicAdd(&h[w >> 24], 1u);
}

__global__ void count16(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    const int count = n / 16;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) {
        const uint4 v = ((const uint4*)gray)[i];
        tally(h, v.x); tally(h, v.y); tally(h, v.z); tally(h, v.w);
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 16) atomicAdd(&h[gray[16 * count + threadIdx.x]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}

__global__ void single_table(const uint32_t* bins, uint8_t* table, int n, bool stretch) {
    __shared__ uint32_t c[256];
    const int v = threadIdx.x;
    c[v] = bins[v];
    const bool matters = c[v] >= (uint32_t)((n + 1023) / 1024);
    __shared__ unsigned mask[8];
    const unsigned m = __ballot_sync(0xffffffffu, stretch ? matters : c[v] > 0);
    if (v % 32 == 0) mask[v / 32] = m;
    __syncthreads();
    int low = 0, high = 255;
    for (int k = 7; k >= 0; k--)
        if (mask[k]) low = 32 * k + __ffs(mask[k]) - 1;
    for (int k = 0; k < 8; k++)
        if (mask[k]) high = 32 * k + 31 - __clz(mask[k]);
    if (low == high) {
        table[v] = v;
    } else if (stretch) {
        table[v] = (min(max(v - low, 0), high - low) * 255 + (high - low) / 2) / (high - low);
    } else {
        uint32_t sum = 0;
        for (int k = low + 1; k <= v; k++) sum += c[k];
        table[v] = (uint8_t)((255ull * sum + (n - c[low]) / 2) / (n - c[low]));
    }
}

__global__ void pair_table(const uint8_t* table, uint16_t* pairs) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    pairs[i] = table[i & 255] | table[i >> 8] << 8;
}

__device__ __forceinline__ uint32_t two(const uint16_t* pairs, uint32_t w) {
    return __ldg(&pairs[w & 0xffff]) | (uint32_t)__ldg(&pairs[w >> 16]) << 16;
}

__global__ void map16(const uint8_t* gray, uint8_t* out, const uint16_t* pairs, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (16 * i + 15 < n) {
        const uint4 v = ((const uint4*)gray)[i];
        ((uint4*)out)[i] = make_uint4(two(pairs, v.x), two(pairs, v.y), two(pairs, v.z),
                                      two(pairs, v.w));
    } else {
        for (int k = 16 * i; k < n; k++) out[k] = (uint8_t)pairs[gray[k]];
    }
}

static void with_pairs(const uint8_t* gray, uint8_t* out, int n, bool stretch) {
    uint32_t* bins;
    uint8_t* table;
    uint16_t* pairs;
    WORKBOOK_CHECK(cudaMalloc(&bins, 1024));
    WORKBOOK_CHECK(cudaMalloc(&table, 256));
    WORKBOOK_CHECK(cudaMalloc(&pairs, 65536 * sizeof(uint16_t)));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 1024));
    count16<<<396, 256>>>(gray, bins, n);
    single_table<<<1, 256>>>(bins, table, n, stretch);
    pair_table<<<256, 256>>>(table, pairs);
    map16<<<ceil_div(n, 4096), 256>>>(gray, out, pairs, n);
    WORKBOOK_CHECK(cudaFree(bins));
    WORKBOOK_CHECK(cudaFree(table));
    WORKBOOK_CHECK(cudaFree(pairs));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    with_pairs(gray, out, width * height, true);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    with_pairs(gray, out, width * height, false);
}
