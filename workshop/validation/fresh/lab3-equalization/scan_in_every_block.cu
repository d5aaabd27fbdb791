// family: two launches, table recomputed per block
// style: fewer launches at any price: each block of the second pass scans the 256 counters (Blelloch) itself
// expected bottleneck: the prologue of each block of the second pass: loads, barriers and divisions
#include "workbook.cuh"

constexpr int threads = 128;
constexpr int count_per_thread = 64;
constexpr int map_per_thread = 32;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    counts[threadIdx.x + threads] = 0;
    __syncthreads();
    int base = blockIdx.x * threads * count_per_thread + threadIdx.x;
#pragma unroll 8
    for (int k = 0; k < count_per_thread; k++) {
        int i = base + k * threads;
        if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
    }
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += threads)
        if (counts[v] > 0) atomicAdd(&bins[v], counts[v]);
}

// Turns 256 values in shared memory into their exclusive prefix sums.
__device__ void blelloch(uint32_t* data) {
    int t = threadIdx.x;
    int offset = 1;
    for (int active = 128; active > 0; active >>= 1) {
        __syncthreads();
        if (t < active) data[offset * (2 * t + 2) - 1] += data[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) data[255] = 0;
    for (int active = 1; active < 256; active *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < active) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            uint32_t keep = data[left];
            data[left] = data[right];
            data[right] += keep;
        }
    }
    __syncthreads();
}

__device__ void map_span(const uint8_t* gray, uint8_t* out, const uint8_t* table, int pixels) {
    int base = blockIdx.x * threads * map_per_thread + threadIdx.x;
#pragma unroll 8
    for (int k = 0; k < map_per_thread; k++) {
        int i = base + k * threads;
        if (i < pixels) out[i] = table[gray[i]];
    }
}

__global__ void equalize_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                                const uint32_t* __restrict__ bins, int pixels) {
    __shared__ uint32_t cdf[256];
    __shared__ uint8_t table[256];
    __shared__ uint32_t smallest;
    for (int v = threadIdx.x; v < 256; v += threads) cdf[v] = bins[v];
    blelloch(cdf);
    for (int v = threadIdx.x; v < 256; v += threads)
        if (cdf[v] == 0 && bins[v] != 0) smallest = bins[v];
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += threads) {
        uint32_t up_to = cdf[v] + bins[v], rest = pixels - smallest;
        if (rest == 0 || up_to == 0)
            table[v] = v;
        else
            table[v] = (uint8_t)(((uint64_t)(up_to - smallest) * 255 + rest / 2) / rest);
    }
    __syncthreads();
    map_span(gray, out, table, pixels);
}

__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               const uint32_t* __restrict__ bins, int pixels) {
    __shared__ int low, high;
    __shared__ uint8_t table[256];
    if (threadIdx.x == 0) low = 255, high = 0;
    __syncthreads();
    uint32_t enough = (pixels + 1023) / 1024;
    for (int v = threadIdx.x; v < 256; v += threads)
        if (bins[v] >= enough) atomicMin(&low, v), atomicMax(&high, v);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += threads) {
        int clamped = min(max(v, low), high);
        table[v] = low == high ? v : (255 * (clamped - low) + (high - low) / 2) / (high - low);
    }
    __syncthreads();
    map_span(gray, out, table, pixels);
}

static uint32_t* count(const uint8_t* gray, int pixels) {
    uint32_t* bins;
    cudaMalloc(&bins, 1024);
    cudaMemset(bins, 0, 1024);
    histogram_kernel<<<ceil_div(pixels, threads * count_per_thread), threads>>>(gray, bins, pixels);
    return bins;
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pixels = width * height;
    uint32_t* bins = count(gray, pixels);
    stretch_kernel<<<ceil_div(pixels, threads * map_per_thread), threads>>>(gray, out, bins, pixels);
    cudaFree(bins);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pixels = width * height;
    uint32_t* bins = count(gray, pixels);
    equalize_kernel<<<ceil_div(pixels, threads * map_per_thread), threads>>>(gray, out, bins, pixels);
    cudaFree(bins);
}
