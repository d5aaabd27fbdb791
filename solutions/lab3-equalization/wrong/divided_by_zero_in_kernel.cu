// expect: mismatch equalize
// tasks: equalize
// cause: one_level
// fault: the kernel divides integers by 0 if all pixels have one level.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}


__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint32_t* counts, int pixels) {
    __shared__ uint32_t low, others;
    __shared__ uint32_t cdf[256];
    if (threadIdx.x == 0) {
        uint32_t sum = 0;
        low = 256;
        for (int v = 0; v < 256; ++v) {
            if (counts[v] > 0 && low == 256) low = v;
            sum += counts[v];
            cdf[v] = sum;
        }
        others = pixels - counts[low];
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        const uint32_t above = cdf[gray[i]] - counts[low];
        out[i] = (255ull * above + others / 2) / others;
    }
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, bins, pixels);
    cudaFree(bins);
}
