// family: scans
// Style: one warp makes the table with shuffles, eight levels a lane; pixels in pieces of eight.
// Limit: the shared atomics of the histogram; the map looks bytes up in global memory (L1).
#include "workbook.cuh"

constexpr uint32_t full_mask = 0xffffffffu;

__global__ void count(const uint2* eights, const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t counts[2][256];
    for (int v = threadIdx.x; v < 512; v += blockDim.x) counts[0][v] = 0;
    __syncthreads();
    uint32_t* mine = counts[threadIdx.x & 1];
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = thread; e < n / 8; e += gridDim.x * blockDim.x) {
        const uint2 eight = eights[e];
        for (int k = 0; k < 8; ++k)
            atomicAdd(mine + ((k < 4 ? eight.x : eight.y) >> (k % 4 * 8) & 0xff), 1u);
    }
    if (thread < n % 8) atomicAdd(mine + gray[n - 1 - thread], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x)
        atomicAdd(bins + v, counts[0][v] + counts[1][v]);
}

__device__ uint8_t scaled(uint64_t part, uint64_t whole) {
    return (part * 255 + whole / 2) / whole;
}

__global__ void stretch_table(const uint32_t* bins, uint8_t* table, uint32_t threshold) {
    int low = 255, high = 0;
    for (int v = threadIdx.x; v < 256; v += 32) {
        if (bins[v] < threshold) continue;
        low = min(low, v);
        high = max(high, v);
    }
    for (int offset = 16; offset > 0; offset >>= 1) {
        low = min(low, __shfl_xor_sync(full_mask, low, offset));
        high = max(high, __shfl_xor_sync(full_mask, high, offset));
    }
    for (int v = threadIdx.x; v < 256; v += 32)
        table[v] = low == high ? v : scaled(min(max(v, low), high) - low, high - low);
}

__global__ void rank_table(const uint32_t* bins, uint8_t* table, int n) {
    uint32_t sums[8], total = 0;
    for (int k = 0; k < 8; ++k) sums[k] = total += bins[8 * threadIdx.x + k];
    uint32_t upto = total;
    for (int offset = 1; offset < 32; offset <<= 1) {
        const uint32_t other = __shfl_up_sync(full_mask, upto, offset);
        if (threadIdx.x >= offset) upto += other;
    }
    const uint32_t before = upto - total;
    // The lowest level that occurs has the smallest sum that is not zero.
    uint32_t lowest = full_mask;
    for (int k = 7; k >= 0; --k)
        if (before + sums[k] > 0) lowest = before + sums[k];
    for (int offset = 16; offset > 0; offset >>= 1)
        lowest = min(lowest, __shfl_xor_sync(full_mask, lowest, offset));
    for (int k = 0; k < 8; ++k) {
        const int v = 8 * threadIdx.x + k;
        const uint32_t sum = max(before + sums[k], lowest);
        table[v] = lowest == n ? v : scaled(sum - lowest, n - lowest);
    }
}

__global__ void map(const uint2* eights, const uint8_t* gray, uint2* results, uint8_t* out,
                    const uint8_t* __restrict__ table, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < n / 8) {
        const uint2 in = eights[thread];
        uint2 result = make_uint2(0, 0);
#pragma unroll
        for (int shift = 0; shift < 32; shift += 8) {
            result.x |= table[in.x >> shift & 0xff] << shift;
            result.y |= table[in.y >> shift & 0xff] << shift;
        }
        results[thread] = result;
    } else if (thread - n / 8 < n % 8) {
        const int i = n / 8 * 8 + (thread - n / 8);
        out[i] = table[gray[i]];
    }
}

void run(bool stretch, const uint8_t* gray, uint8_t* out, int n) {
    uint32_t* bins;
    uint8_t* table;
    cudaMalloc(&bins, 1024);
    cudaMalloc(&table, 256);
    cudaMemset(bins, 0, 1024);
    const uint2* eights = reinterpret_cast<const uint2*>(gray);
    count<<<min(ceil_div(n, 2048), 528), 256>>>(eights, gray, bins, n);
    if (stretch)
        stretch_table<<<1, 32>>>(bins, table, ceil_div(n, 1024));
    else
        rank_table<<<1, 32>>>(bins, table, n);
    map<<<ceil_div(n / 8 + n % 8, 256), 256>>>(eights, gray, reinterpret_cast<uint2*>(out), out,
                                               table, n);
    cudaFree(bins);
    cudaFree(table);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    run(true, gray, out, width * height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    run(false, gray, out, width * height);
}
