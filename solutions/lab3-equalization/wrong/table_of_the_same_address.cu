// expect: mismatch equalize
// tasks: equalize
// fault: the table is kept as long as the picture lies at the same address, whatever it shows.
#include "workbook.cuh"

__global__ void count_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t c[256];
    c[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&c[gray[i]], 1u);
    __syncthreads();
    if (c[threadIdx.x]) atomicAdd(&bins[threadIdx.x], c[threadIdx.x]);
}
struct Range { int low, high; };
static int blocks_for(int pixels) { return min(ceil_div(pixels, 256), 1024); }

void make_table(const uint32_t* c, int pixels, uint8_t* t) {
    int64_t cdf = 0, low = -1;
    for (int v = 0; v < 256; ++v) {
        cdf += c[v];
        if (low < 0 && c[v]) low = c[v];
        const int64_t d = pixels - low;
        t[v] = d > 0 && low >= 0 ? ((cdf - low) * 255 + d / 2) / d : v;
    }
}
__global__ void map_kernel(const uint8_t* gray, uint8_t* out, const uint8_t* table, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    static const uint8_t* last = nullptr;
    static uint8_t t[256];
    const int pixels = width * height;
    uint8_t* table;
    cudaMalloc(&table, 256);
    if (last != gray) {
        uint32_t* bins; uint32_t c[256];
        cudaMalloc(&bins, 1024); cudaMemset(bins, 0, 1024);
        count_kernel<<<blocks_for(pixels), 256>>>(gray, bins, pixels);
        cudaMemcpy(c, bins, 1024, cudaMemcpyDeviceToHost);
        cudaFree(bins);
        make_table(c, pixels, t);
        last = gray;
    }
    cudaMemcpy(table, t, 256, cudaMemcpyHostToDevice);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    cudaFree(table);
}
