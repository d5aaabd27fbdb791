// family: warp intrinsics
// Style: a warp's registers hold the table, two words a lane; a level is looked up by shuffles.
// Limit: two shuffles a pixel: the exchange between lanes, which shared memory's port carries.
#include "workbook.cuh"

constexpr uint32_t full_mask = 0xffffffffu;

__global__ void count(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t counts[256];
    for (int v = threadIdx.x; v < 256; v += 128) counts[v] = 0;
    __syncthreads();
    // All lanes go round together; those past the last pixel match only each other.
    for (int base = blockIdx.x * 128; base < n; base += gridDim.x * 128) {
        const int i = base + threadIdx.x;
        const uint32_t level = i < n ? gray[i] : 256;
        const uint32_t peers = __match_any_sync(full_mask, level);
        if (level < 256 && __ffs(peers) - 1 == threadIdx.x % 32)
            atomicAdd(&counts[level], __popc(peers));
    }
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += 128) atomicAdd(&bins[v], counts[v]);
}

__global__ void map(const uint8_t* gray, uint8_t* out, const uint32_t* table, int n) {
    const int lane = threadIdx.x % 32;
    const uint32_t lower = table[lane], upper = table[32 + lane];
    const int stride = gridDim.x * blockDim.x;
    // All lanes go round together: a shuffle needs them all.
    for (int base = blockIdx.x * blockDim.x; base < n; base += stride) {
        const int i = base + threadIdx.x;
        const uint32_t level = i < n ? gray[i] : 0;
        const uint32_t a = __shfl_sync(full_mask, lower, level / 4 % 32);
        const uint32_t b = __shfl_sync(full_mask, upper, level / 4 % 32);
        if (i < n) out[i] = (level < 128 ? a : b) >> (level % 4 * 8);
    }
}

void count_levels(const uint8_t* gray, uint32_t* counts, int n) {
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    count<<<min(ceil_div(n, 1024), 2112), 128>>>(gray, bins, n);
    cudaMemcpy(counts, bins, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

void map_image(const uint8_t* gray, uint8_t* out, const uint8_t* table, int n) {
    uint32_t* words;
    cudaMalloc(&words, 256);
    cudaMemcpy(words, table, 256, cudaMemcpyHostToDevice);
    map<<<min(ceil_div(n, 128), 2112), 128>>>(gray, out, words, n);
    cudaFree(words);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    uint32_t counts[256];
    count_levels(gray, counts, n);
    const uint32_t threshold = ceil_div(n, 1024);
    int low = 0, high = 255;
    while (counts[low] < threshold) ++low;
    while (counts[high] < threshold) --high;
    uint8_t table[256];
    for (int v = 0; v < 256; ++v) {
        const int span = high - low, above = min(max(v - low, 0), span);
        table[v] = span == 0 ? v : (510 * above + span) / (2 * span);
    }
    map_image(gray, out, table, n);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    uint32_t counts[256];
    count_levels(gray, counts, n);
    int lowest_level = 0;
    while (counts[lowest_level] == 0) ++lowest_level;
    const long long others = n - counts[lowest_level];
    long long above = 0;
    uint8_t table[256];
    for (int v = 0; v < 256; ++v) {
        if (v > lowest_level) above += counts[v];
        table[v] = others == 0 ? v : (510 * above + others) / (2 * others);
    }
    map_image(gray, out, table, n);
}
