// expect: mismatch pipeline
// fault: the height divided by the number of bands leaves rows that no band has.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;

__global__ void gray_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                            int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
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

// Part k of `parts` of `count`: from `first` to `end`.
struct Part {
    int first, end;
    int size() const { return end - first; }
};
Part part_of(int count, int k, int parts) {
    const int64_t all = count;
    return {static_cast<int>(all * k / parts), static_cast<int>(all * (k + 1) / parts)};
}

constexpr int parts = 8;

void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height;
    uint8_t *rgb, *gray, *out;
    uint32_t* bins;
    cudaMalloc(&rgb, 3 * pixels);
    cudaMalloc(&gray, pixels);
    cudaMalloc(&out, pixels);
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    // What is page-locked cannot be moved away, so that the GPU fetches it by itself.
    cudaHostRegister(const_cast<uint8_t*>(host_rgb), 3 * pixels, cudaHostRegisterDefault);
    cudaHostRegister(host_out, pixels, cudaHostRegisterDefault);
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);

    // In the default stream: the others wait for it.
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    for (int k = 0; k < parts; ++k) {
        const Part part = part_of(pixels, k, parts);
        if (part.size() == 0) continue;
        const cudaStream_t stream = streams[k % 2];
        uint8_t* rgb_part = rgb + 3 * part.first;
        cudaMemcpyAsync(rgb_part, host_rgb + 3 * part.first, 3 * part.size(),
                        cudaMemcpyHostToDevice, stream);
        gray_kernel<<<blocks_for(part.size()), block_size, 0, stream>>>(
            rgb_part, gray + part.first, part.size());
        histogram_kernel<<<histogram_blocks(part.size()), block_size, 0, stream>>>(
            gray + part.first, bins, part.size());
    }
    uint32_t counts[levels];
    // In the default stream again: it waits for the others, and the host for it.
    cudaMemcpy(counts, bins, sizeof(counts), cudaMemcpyDeviceToHost);
    const Range range = find_range(counts, pixels);
    stretch_kernel<<<blocks_for(pixels), block_size>>>(gray, rgb, range, pixels);
    for (int k = 0; k < parts; ++k) {
        const int rows = height / parts;
        const Part band = {k * rows, (k + 1) * rows};
        if (band.size() == 0) continue;
        const cudaStream_t stream = streams[k % 2];
        smooth_kernel<<<smooth_grid(width, band.size()), dim3(32, 8), 0, stream>>>(
            rgb, out, band.first, band.end, width, height);
        cudaMemcpyAsync(host_out + band.first * width, out + band.first * width,
                        band.size() * width, cudaMemcpyDeviceToHost, stream);
    }
    cudaDeviceSynchronize();  // host_out is complete

    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    cudaHostUnregister(const_cast<uint8_t*>(host_rgb));
    cudaHostUnregister(host_out);
    cudaFree(rgb);
    cudaFree(gray);
    cudaFree(out);
    cudaFree(bins);
}
