// Rung 6: fuse kernels, and leave out the host.
//
// Before:   gray levels, stretched pixels and result are written and read again between kernels,
//           with 25 loads per pixel in the last one. Between the halves of the work the counters go
//           to the host, which decides and launches: meanwhile the link is idle.
// Change:   gray levels and histogram are one kernel; stretch and smoothing are another, with a
//           tile in shared memory. The range is found on the GPU, so that everything is queued at
//           once.
// Expected: the gap in the middle shrinks to two short kernels, and the kernels before the first
//           and after the last copy to those of one part.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;

// Gray and histogram of `pixels` pixels: each is counted while it is in a register.
__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted
    const int stride = gridDim.x * block_size;
    for (int i = blockIdx.x * block_size + threadIdx.x; i < pixels; i += stride) {
        const int level = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        gray[i] = level;
        atomicAdd(&counts[level], 1u);
    }
    __syncthreads();  // every pixel of the block is counted before a counter is read
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

// One block, one thread per level: the lowest and the highest level that at least one pixel in
// 1,024 has, and from them the new level of each level.
__global__ void table_kernel(const uint32_t* __restrict__ bins, uint8_t* __restrict__ table,
                             int pixels) {
    __shared__ int low, high;
    const int level = threadIdx.x;
    if (level == 0) {
        low = levels - 1;
        high = 0;
    }
    __syncthreads();  // both have their first values before any thread changes them
    if (bins[level] >= ceil_div(pixels, 1024)) {
        atomicMin(&low, level);
        atomicMax(&high, level);
    }
    __syncthreads();  // all levels have been compared
    const int width = high - low;
    const int above = min(max(level, low), high) - low;
    table[level] = width == 0 ? level : (255 * above + width / 2) / width;
}

constexpr int tile_width = 32, tile_height = 32;
constexpr int rows_per_pass = block_size / tile_width;
constexpr int radius = 2;

// ANCHOR: kernel
// Stretch and smoothing of the rows from `first` to `end`, in tiles: a block looks up every pixel
// of its tile and of the halo once, adds rows of five, then columns of five.
__global__ void stretch_smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                                      const uint8_t* __restrict__ table, int first, int end,
                                      int width, int height) {
    __shared__ uint8_t new_level[levels];
    __shared__ uint8_t pixels[tile_height + 2 * radius][tile_width + 2 * radius];
    __shared__ uint16_t sums[tile_height + 2 * radius][tile_width];
    new_level[threadIdx.x] = table[threadIdx.x];
    __syncthreads();  // the table is complete

    const int left = blockIdx.x * tile_width, top = first + blockIdx.y * tile_height;
    constexpr int loaded_width = tile_width + 2 * radius;
    constexpr int loaded = (tile_height + 2 * radius) * loaded_width;
    for (int i = threadIdx.x; i < loaded; i += block_size) {
        const int column = i % loaded_width, row = i / loaded_width;
        const int x = left + column - radius, y = top + row - radius;
        const bool exists = x >= 0 && x < width && y >= 0 && y < height;
        pixels[row][column] = exists ? new_level[gray[y * width + x]] : 0;
    }
    __syncthreads();  // tile and halo are complete; what does not exist adds nothing

    const int column = threadIdx.x % tile_width, first_row = threadIdx.x / tile_width;
    for (int row = first_row; row < tile_height + 2 * radius; row += rows_per_pass) {
        int sum = 0;
        for (int k = 0; k <= 2 * radius; ++k) sum += pixels[row][column + k];
        sums[row][column] = sum;
    }
    __syncthreads();  // the rows of five are summed

    const int x = left + column;
    if (x >= width) return;
    const int columns = min(x + radius, width - 1) - max(x - radius, 0) + 1;
    for (int row = first_row; row < tile_height && top + row < end; row += rows_per_pass) {
        const int y = top + row;
        int sum = 0;
        for (int k = 0; k <= 2 * radius; ++k) sum += sums[row + k][column];
        const int rows = min(y + radius, height - 1) - max(y - radius, 0) + 1;
        const int count = columns * rows;
        out[y * width + x] = (sum + count / 2) / count;
    }
}
// ANCHOR_END: kernel

// Enough blocks to fill the GPU; their threads loop over the pixels.
int histogram_blocks(int pixels) {
    const int needed = ceil_div(pixels, block_size);
    return needed < 1024 ? needed : 1024;
}

dim3 tiles(int width, int rows) {
    return dim3(ceil_div(width, tile_width), ceil_div(rows, tile_height));
}

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

// ANCHOR: pipeline
void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height;
    uint8_t *rgb, *gray, *out, *table;
    uint32_t* bins;
    WORKBOOK_CHECK(cudaMalloc(&rgb, 3 * pixels));
    WORKBOOK_CHECK(cudaMalloc(&gray, pixels));
    WORKBOOK_CHECK(cudaMalloc(&out, pixels));
    WORKBOOK_CHECK(cudaMalloc(&bins, levels * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMalloc(&table, levels));
    // The system cannot move page-locked memory, so the GPU copies it without the driver's help.
    WORKBOOK_CHECK(
        cudaHostRegister(const_cast<uint8_t*>(host_rgb), 3 * pixels, cudaHostRegisterDefault));
    WORKBOOK_CHECK(cudaHostRegister(host_out, pixels, cudaHostRegisterDefault));
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) WORKBOOK_CHECK(cudaStreamCreate(&stream));

    WORKBOOK_CHECK(cudaMemset(bins, 0, levels * sizeof(uint32_t)));
    for (int k = 0; k < parts; ++k) {
        const Part part = part_of(pixels, k, parts);
        if (part.size() == 0) continue;
        const cudaStream_t stream = streams[k % 2];
        uint8_t* rgb_part = rgb + 3 * part.first;
        WORKBOOK_CHECK(cudaMemcpyAsync(rgb_part, host_rgb + 3 * part.first, 3 * part.size(),
                                       cudaMemcpyHostToDevice, stream));
        gray_histogram_kernel<<<histogram_blocks(part.size()), block_size, 0, stream>>>(
            rgb_part, gray + part.first, bins, part.size());
    }
    // In the default stream: it waits for both, and both wait for it.
    table_kernel<<<1, levels>>>(bins, table, pixels);
    for (int k = 0; k < parts; ++k) {
        const Part band = part_of(height, k, parts);
        if (band.size() == 0) continue;
        const cudaStream_t stream = streams[k % 2];
        stretch_smooth_kernel<<<tiles(width, band.size()), block_size, 0, stream>>>(
            gray, out, table, band.first, band.end, width, height);
        WORKBOOK_CHECK(cudaMemcpyAsync(host_out + band.first * width, out + band.first * width,
                                       band.size() * width, cudaMemcpyDeviceToHost, stream));
    }
    WORKBOOK_CHECK(cudaDeviceSynchronize());  // host_out is complete

    for (cudaStream_t stream : streams) WORKBOOK_CHECK(cudaStreamDestroy(stream));
    WORKBOOK_CHECK(cudaHostUnregister(const_cast<uint8_t*>(host_rgb)));
    WORKBOOK_CHECK(cudaHostUnregister(host_out));
    WORKBOOK_CHECK(cudaFree(rgb));
    WORKBOOK_CHECK(cudaFree(gray));
    WORKBOOK_CHECK(cudaFree(out));
    WORKBOOK_CHECK(cudaFree(bins));
    WORKBOOK_CHECK(cudaFree(table));
}
// ANCHOR_END: pipeline
