// expect: mismatch equalize
// tasks: equalize
// fault: the sums of earlier warps are added from the second one on: the first warp's is left out.
#include "workbook.cuh"

__global__ void count(const uint8_t* gray, uint32_t* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void make_table(const uint32_t* bins, uint8_t* table, int n) {
    __shared__ uint32_t totals[8];
    __shared__ uint32_t least;
    const int level = threadIdx.x, lane = level & 31, warp = level >> 5;
    const uint32_t own = bins[level];
    uint32_t sum = own;
    for (int d = 1; d < 32; d *= 2) {
        const uint32_t left = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += left;
    }
    if (lane == 31) totals[warp] = sum;
    if (level == 0) least = 0xffffffff;
    __syncthreads();
    for (int w = 1; w < warp; ++w) sum += totals[w];
    if (own) atomicMin(&least, sum);
    __syncthreads();
    const uint32_t range = n - least;
    table[level] = range ? (2ull * 255 * (sum - least) + range) / (2ull * range) : level;
}

__global__ void map(const uint8_t* gray, uint8_t* out, const uint8_t* table, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height, blocks = ceil_div(n, 256);
    uint32_t* bins;
    uint8_t* table;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMalloc(&table, 256);
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    count<<<blocks, 256>>>(gray, bins, n);
    make_table<<<1, 256>>>(bins, table, n);
    map<<<blocks, 256>>>(gray, out, table, n);
    cudaFree(bins);
    cudaFree(table);
}
