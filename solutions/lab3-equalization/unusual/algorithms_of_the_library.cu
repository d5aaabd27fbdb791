// why: std::fill, std::find_if and others, with no header but workbook.cuh, which has them.
// tasks: contrast_stretch
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ table, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* counts;
    uint8_t* table;
    WORKBOOK_CHECK(cudaMallocManaged(&counts, 256 * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMallocManaged(&table, 256));
    std::fill(counts, counts + 256, 0u);
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, counts, pixels);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    const uint32_t enough = ceil_div(pixels, 1024);
    const auto matters = [enough](uint32_t count) { return count >= enough; };
    const int low = std::find_if(counts, counts + 256, matters) - counts;
    uint32_t backwards[256];
    std::copy_n(counts, 256, backwards);
    std::reverse(backwards, backwards + 256);
    const int high = 255 - (std::find_if(backwards, backwards + 256, matters) - backwards);
    for (int v = 0; v < 256; ++v) {
        const int above = std::clamp(v, low, high) - low;
        table[v] = low == high ? v : (255 * above + (high - low) / 2) / (high - low);
    }
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    WORKBOOK_CHECK(cudaFree(counts));
    WORKBOOK_CHECK(cudaFree(table));
}
