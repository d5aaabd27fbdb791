// Rung 2: copies step by step.
//
// Before:   pages move over the link one by one, each when a kernel or the host misses it.
// Change:   the program copies whole buffers. Each step is a function that takes host memory and
//           returns host memory, as when a program is moved to the GPU one step at a time.
// Expected: faster, and several times as slow as it could be: the kernels take a small part of the
//           time. The image crosses the link five times in pageable memory, where the driver copies
//           every byte once more.
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

// The mean of the neighbours that exist, for the rows from `first` to `end`, one pixel per thread.
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

// Enough blocks to fill the GPU; their threads loop over the pixels.
int histogram_blocks(int pixels) {
    const int needed = blocks_for(pixels);
    return needed < 1024 ? needed : 1024;
}

dim3 smooth_grid(int width, int rows) { return dim3(ceil_div(width, 32), ceil_div(rows, 8)); }

// Device memory with a copy of host memory; `from` may be null.
template <class T>
T* to_device(const T* from, int count) {
    T* memory;
    WORKBOOK_CHECK(cudaMalloc(&memory, count * sizeof(T)));
    if (from) WORKBOOK_CHECK(cudaMemcpy(memory, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

// The other way, and the device memory is freed.
template <class T>
void to_host(T* to, T* memory, int count) {
    WORKBOOK_CHECK(cudaMemcpy(to, memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    WORKBOOK_CHECK(cudaFree(memory));
}

void gray_step(const uint8_t* host_rgb, uint8_t* host_gray, int pixels) {
    uint8_t* rgb = to_device(host_rgb, 3 * pixels);
    uint8_t* gray = to_device<uint8_t>(nullptr, pixels);
    gray_kernel<<<blocks_for(pixels), block_size>>>(rgb, gray, pixels);
    to_host(host_gray, gray, pixels);
    WORKBOOK_CHECK(cudaFree(rgb));
}

Range range_step(const uint8_t* host_gray, int pixels) {
    uint8_t* gray = to_device(host_gray, pixels);
    uint32_t counts[levels] = {};
    uint32_t* bins = to_device(counts, levels);
    histogram_kernel<<<histogram_blocks(pixels), block_size>>>(gray, bins, pixels);
    to_host(counts, bins, levels);
    WORKBOOK_CHECK(cudaFree(gray));
    return find_range(counts, pixels);
}

void stretch_step(uint8_t* host_gray, Range range, int pixels) {
    uint8_t* gray = to_device(host_gray, pixels);
    uint8_t* out = to_device<uint8_t>(nullptr, pixels);
    stretch_kernel<<<blocks_for(pixels), block_size>>>(gray, out, range, pixels);
    to_host(host_gray, out, pixels);
    WORKBOOK_CHECK(cudaFree(gray));
}

void smooth_step(const uint8_t* host_gray, uint8_t* host_out, int width, int height) {
    const int pixels = width * height;
    uint8_t* gray = to_device(host_gray, pixels);
    uint8_t* out = to_device<uint8_t>(nullptr, pixels);
    smooth_kernel<<<smooth_grid(width, height), dim3(32, 8)>>>(gray, out, 0, height, width, height);
    to_host(host_out, out, pixels);
    WORKBOOK_CHECK(cudaFree(gray));
}

// ANCHOR: pipeline
void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height;
    uint8_t* host_gray = static_cast<uint8_t*>(malloc(pixels));
    gray_step(host_rgb, host_gray, pixels);
    const Range range = range_step(host_gray, pixels);
    stretch_step(host_gray, range, pixels);
    smooth_step(host_gray, host_out, width, height);
    free(host_gray);
}
// ANCHOR_END: pipeline
