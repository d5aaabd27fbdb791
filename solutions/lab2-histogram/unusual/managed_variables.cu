// why: counters are __managed__ variables that the host clears and reads.
// tasks: histogram
#include "workbook.cuh"

__managed__ unsigned int counts[256];
__device__ __managed__ int calls = 0;

__global__ void count_kernel(const uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[gray[i]], 1u);
    if (i == 0) calls += 1;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height, before = calls;
    for (int level = 0; level < 256; ++level) counts[level] = 0;
    count_kernel<<<ceil_div(n, 256), 256>>>(gray, n);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    uint32_t sum = 0;
    for (int level = 0; level < 256; ++level) sum += counts[level];
    if (sum != static_cast<uint32_t>(n) || calls != before + 1) return;
    WORKBOOK_CHECK(cudaMemcpy(bins, counts, sizeof(counts), cudaMemcpyDefault));
}
