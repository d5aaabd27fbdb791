// family: atomics global
// style: 64 copies of the histogram in global memory, a block adds to copy block % 64, a second kernel folds them
// expected bottleneck: atomics of the L2 cache, one per pixel
#include "workbook.cuh"

constexpr int replicas = 64;

__global__ void count(const uint8_t* gray, uint32_t* copies, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&copies[(blockIdx.x % replicas) * 256 + gray[i]], 1u);
}

__global__ void count_color(const uint8_t* rgb, uint8_t* gray, uint32_t* copies, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int v = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
    gray[i] = v;
    atomicAdd(&copies[(blockIdx.x % replicas) * 256 + v], 1u);
}

__global__ void fold(const uint32_t* copies, uint32_t* bins) {
    uint32_t sum = 0;
    for (int r = 0; r < replicas; r++) sum += copies[r * 256 + threadIdx.x];
    bins[threadIdx.x] = sum;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    uint32_t* copies;
    WORKBOOK_CHECK(cudaMalloc(&copies, replicas * 256 * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMemset(copies, 0, replicas * 256 * sizeof(uint32_t)));
    count<<<ceil_div(width * height, 256), 256>>>(gray, copies, width * height);
    fold<<<1, 256>>>(copies, bins);
    WORKBOOK_CHECK(cudaFree(copies));
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    uint32_t* copies;
    WORKBOOK_CHECK(cudaMalloc(&copies, replicas * 256 * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMemset(copies, 0, replicas * 256 * sizeof(uint32_t)));
    count_color<<<ceil_div(width * height, 256), 256>>>(rgb, gray, copies, width * height);
    fold<<<1, 256>>>(copies, bins);
    WORKBOOK_CHECK(cudaFree(copies));
}
