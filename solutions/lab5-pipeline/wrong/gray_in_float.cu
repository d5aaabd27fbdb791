// expect: mismatch pipeline
// cause: gray_in_float
// fault: a float sum falls to the other side of a half now and then, and the stretch makes it more.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;

__global__ void gray_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                            int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f;
}

// A histogram per block, added to bins at the end.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted
    const int stride = gridDim.x * block_size;
    for (int i = blockIdx.x * block_size + threadIdx.x; i < pixels; i += stride)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel of the block is counted before a counter is read
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

struct Range {
    int low, high;
};

// The lowest and the highest level that at least one pixel in 1,024 has.
Range find_range(const uint32_t* counts, int pixels) {
    const uint32_t threshold = ceil_div(pixels, 1024);
    Range range = {0, levels - 1};
    while (counts[range.low] < threshold) ++range.low;
    while (counts[range.high] < threshold) --range.high;
    return range;
}

__device__ int stretched(int level, Range range) {
    const int width = range.high - range.low;
    if (width == 0) return level;  // nothing to spread
    const int above = min(max(level, range.low), range.high) - range.low;
    return (255 * above + width / 2) / width;
}

__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               Range range, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = stretched(gray[i], range);
}

// The mean of the neighbours that exist, for the rows from `first` to `end`, one pixel a thread.
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int first, int end, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = first + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= end) return;
    int sum = 0, count = 0;
    for (int v = max(y - 2, 0); v <= min(y + 2, height - 1); ++v) {
        for (int u = max(x - 2, 0); u <= min(x + 2, width - 1); ++u) {
            sum += gray[v * width + u];
            ++count;
        }
    }
    out[y * width + x] = (sum + count / 2) / count;
}

int blocks_for(int pixels) { return ceil_div(pixels, block_size); }

// Enough blocks to fill the GPU; their threads go round.
int histogram_blocks(int pixels) {
    const int needed = blocks_for(pixels);
    return needed < 1024 ? needed : 1024;
}

dim3 smooth_grid(int width, int rows) { return dim3(ceil_div(width, 32), ceil_div(rows, 8)); }

void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height;
    uint8_t *rgb, *gray, *out;
    uint32_t* bins;
    cudaMalloc(&rgb, 3 * pixels);
    cudaMalloc(&gray, pixels);
    cudaMalloc(&out, pixels);
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    cudaMemcpy(rgb, host_rgb, 3 * pixels, cudaMemcpyHostToDevice);
    gray_kernel<<<blocks_for(pixels), block_size>>>(rgb, gray, pixels);
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    histogram_kernel<<<histogram_blocks(pixels), block_size>>>(gray, bins, pixels);
    uint32_t counts[levels];
    cudaMemcpy(counts, bins, sizeof(counts), cudaMemcpyDeviceToHost);
    const Range range = find_range(counts, pixels);
    // The image is no longer needed: its memory takes the stretched pixels.
    stretch_kernel<<<blocks_for(pixels), block_size>>>(gray, rgb, range, pixels);
    smooth_kernel<<<smooth_grid(width, height), dim3(32, 8)>>>(rgb, out, 0, height, width, height);
    cudaMemcpy(host_out, out, pixels, cudaMemcpyDeviceToHost);
    cudaFree(rgb);
    cudaFree(gray);
    cudaFree(out);
    cudaFree(bins);
}
