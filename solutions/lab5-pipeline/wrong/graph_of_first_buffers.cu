// expect: finding host
// engine: simulator
// fault: a graph is kept for a size, and copies from and to the buffers of the call that made it.
#include "workbook.cuh"

constexpr int levels = 256;

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * levels + threadIdx.x; i < pixels; i += gridDim.x * levels)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

struct Range {
    int low, high;
};

__global__ void find_kernel(const uint32_t* bins, Range* range, uint32_t least) {
    int low = 0, high = levels - 1;
    while (bins[low] < least) ++low;
    while (bins[high] < least) --high;
    *range = {low, high};
}

__global__ void stretch_kernel(const uint8_t* gray, uint8_t* out, const Range* range, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int low = range->low, high = range->high, width = high - low;
    const int above = min(max(static_cast<int>(gray[i]), low), high) - low;
    out[i] = width > 0 ? (255 * above + width / 2) / width : gray[i];
}

__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int v = max(y - 2, 0); v <= min(y + 2, height - 1); ++v) {
        for (int u = max(x - 2, 0); u <= min(x + 2, width - 1); ++u) {
            sum += gray[v * width + u];
            ++count;
        }
    }
    out[y * width + x] = (sum + count / 2) / count;
}

void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    static int known_width = 0, known_height = 0;
    static uint8_t *rgb, *gray, *out;
    static uint32_t* bins;
    static Range* range;
    static cudaStream_t stream;
    static cudaGraphExec_t ready;
    const int pixels = width * height, blocks = ceil_div(pixels, levels);
    const dim3 tiles(ceil_div(width, 32), ceil_div(height, 8)), tile(32, 8);
    if (width != known_width || height != known_height) {
        if (known_width > 0) {
            WORKBOOK_CHECK(cudaGraphExecDestroy(ready));
            WORKBOOK_CHECK(cudaFree(rgb));
            WORKBOOK_CHECK(cudaFree(gray));
            WORKBOOK_CHECK(cudaFree(out));
        } else {
            WORKBOOK_CHECK(cudaStreamCreate(&stream));
            WORKBOOK_CHECK(cudaMalloc(&bins, levels * sizeof(uint32_t)));
            WORKBOOK_CHECK(cudaMalloc(&range, sizeof(Range)));
        }
        WORKBOOK_CHECK(cudaMalloc(&rgb, 3 * pixels));
        WORKBOOK_CHECK(cudaMalloc(&gray, pixels));
        WORKBOOK_CHECK(cudaMalloc(&out, pixels));
        WORKBOOK_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        cudaMemcpyAsync(rgb, host_rgb, 3 * pixels, cudaMemcpyHostToDevice, stream);
        cudaMemsetAsync(bins, 0, levels * sizeof(uint32_t), stream);
        gray_kernel<<<blocks, levels, 0, stream>>>(rgb, gray, pixels);
        histogram_kernel<<<min(blocks, 1024), levels, 0, stream>>>(gray, bins, pixels);
        find_kernel<<<1, 1, 0, stream>>>(bins, range, ceil_div(pixels, 1024));
        stretch_kernel<<<blocks, levels, 0, stream>>>(gray, rgb, range, pixels);
        smooth_kernel<<<tiles, tile, 0, stream>>>(rgb, out, width, height);
        cudaMemcpyAsync(host_out, out, pixels, cudaMemcpyDeviceToHost, stream);
        cudaGraph_t graph;
        WORKBOOK_CHECK(cudaStreamEndCapture(stream, &graph));
        WORKBOOK_CHECK(cudaGraphInstantiate(&ready, graph, 0));
        WORKBOOK_CHECK(cudaGraphDestroy(graph));
        known_width = width;
        known_height = height;
    }
    WORKBOOK_CHECK(cudaGraphLaunch(ready, stream));
    WORKBOOK_CHECK(cudaStreamSynchronize(stream));
}
