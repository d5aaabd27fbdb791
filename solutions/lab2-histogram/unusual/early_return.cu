// why: threads without work return before a barrier, which GPUs since 7.0 allow.
// tasks: histogram
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t counts[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    // The threads that are left share the levels.
    const int first = blockIdx.x * blockDim.x;
    const int left = min(static_cast<int>(blockDim.x), n - first);
    for (int level = threadIdx.x; level < 256; level += left)
        if (counts[level] != 0) atomicAdd(&bins[level], counts[level]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    histogram_kernel<<<ceil_div(width * height, 256), 256>>>(gray, bins, width * height);
}
