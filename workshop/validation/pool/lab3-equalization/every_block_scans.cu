// family: scans
// Style: no kernel for the table: each of many mapping blocks scans the counters for itself.
// Limit: the repeated scans, two barriers and a few shuffles for only 2,048 pixels a block.
#include "workbook.cuh"

constexpr int threads = 256;
constexpr int pixels_a_thread = 8;

__global__ void count(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins, int n) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int base = blockIdx.x * threads * pixels_a_thread + threadIdx.x;
#pragma unroll
    for (int k = 0; k < pixels_a_thread; ++k)
        if (base + k * threads < n) atomicAdd(&counts[gray[base + k * threads]], 1u);
    __syncthreads();
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__device__ void map(const uint8_t* gray, uint8_t* out, const uint8_t* table, int n) {
    const int base = blockIdx.x * threads * pixels_a_thread + threadIdx.x;
#pragma unroll
    for (int k = 0; k < pixels_a_thread; ++k)
        if (base + k * threads < n) out[base + k * threads] = table[gray[base + k * threads]];
}

__global__ void stretch(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                        const uint32_t* __restrict__ bins, int n) {
    __shared__ uint32_t matters[8];
    __shared__ uint8_t table[256];
    const int v = threadIdx.x;
    const uint32_t vote = __ballot_sync(~0u, bins[v] >= ceil_div(n, 1024));
    if (v % 32 == 0) matters[v / 32] = vote;
    __syncthreads();
    int first = 0, last = 7;
    while (matters[first] == 0) ++first;
    while (matters[last] == 0) --last;
    const int low = 32 * first + __ffs(matters[first]) - 1;
    const int high = 32 * last + 31 - __clz(matters[last]);
    const float factor = low < high ? 255.0f / (high - low) : 0.0f;
    table[v] =
        low == high ? v : static_cast<int>(__saturatef((v - low) * factor / 255) * 255 + .5f);
    __syncthreads();
    map(gray, out, table, n);
}

__global__ void equalize_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                                const uint32_t* __restrict__ bins, int n) {
    __shared__ int warp_sums[8];
    __shared__ uint8_t table[256];
    const int v = threadIdx.x, lane = v % 32, warp = v / 32;
    int sum = bins[v];
    for (int offset = 1; offset < 32; offset *= 2) {
        const int left = __shfl_up_sync(~0u, sum, offset);
        if (lane >= offset) sum += left;
    }
    if (lane == 31) warp_sums[warp] = sum;
    __syncthreads();
    int before = 0, lowest_warp = 0;
    for (int w = 0; w < warp; ++w) before += warp_sums[w];
    while (warp_sums[lowest_warp] == 0) ++lowest_warp;
    sum += before;
    // Each warp loads the counters of the warp that has the lowest level.
    const int candidate = bins[32 * lowest_warp + lane];
    const uint32_t occurs = __ballot_sync(~0u, candidate > 0);
    const int lowest = __shfl_sync(~0u, candidate, __ffs(occurs) - 1);
    const float share = static_cast<float>(sum - lowest) / max(n - lowest, 1);
    table[v] = lowest == n ? v : static_cast<int>(__saturatef(share) * 255.0f + 0.5f);
    __syncthreads();
    map(gray, out, table, n);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height, blocks = ceil_div(n, threads * pixels_a_thread);
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    count<<<blocks, threads>>>(gray, bins, n);
    stretch<<<blocks, threads>>>(gray, out, bins, n);
    cudaFree(bins);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height, blocks = ceil_div(n, threads * pixels_a_thread);
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    count<<<blocks, threads>>>(gray, bins, n);
    equalize_kernel<<<blocks, threads>>>(gray, out, bins, n);
    cudaFree(bins);
}
