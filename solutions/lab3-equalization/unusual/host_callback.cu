// why: a stream calls a host function, which makes the table between two kernels.
// tasks: contrast_stretch
#include <array>
#include <limits>
#include "workbook.cuh"

struct Work {
    uint32_t* counts;
    uint8_t* table;
    uint32_t pixels;
};

void make_table(void* data) {
    Work* work = static_cast<Work*>(data);
    const uint32_t threshold = ceil_div(work->pixels, 1024u);
    int low = std::numeric_limits<int>::max(), high = std::numeric_limits<int>::lowest();
    for (int level = 0; level < 256; ++level) {
        if (work->counts[level] < threshold) continue;
        low = std::min(low, level);
        high = std::max(high, level);
    }
    const int range = high - low;
    for (int level = 0; level < 256; ++level) {
        const int above = std::clamp(level, low, high) - low;
        work->table[level] = range == 0 ? level : (255 * above + range / 2) / range;
    }
}

__global__ void count_kernel(const uint8_t* gray, uint32_t* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[gray[i]], 1u);
}
__global__ void map_kernel(const uint8_t* gray, uint8_t* out, const uint8_t* table, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __ldg(&table[gray[i]]);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    cudaStream_t stream;
    uint32_t* bins;
    uint8_t* device_table;
    Work work = {nullptr, nullptr, static_cast<uint32_t>(n)};
    WORKBOOK_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    WORKBOOK_CHECK(cudaMallocAsync(&bins, 256 * sizeof(uint32_t), stream));
    WORKBOOK_CHECK(cudaMallocAsync(&device_table, 256, stream));
    WORKBOOK_CHECK(cudaMallocHost(&work.counts, 256 * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMallocHost(&work.table, 256));
    WORKBOOK_CHECK(cudaMemsetAsync(bins, 0, 256 * sizeof(uint32_t), stream));
    count_kernel<<<ceil_div(n, 256), 256, 0, stream>>>(gray, bins, n);
    WORKBOOK_CHECK(cudaMemcpyAsync(work.counts, bins, 256 * sizeof(uint32_t),
                                   cudaMemcpyDeviceToHost, stream));
    WORKBOOK_CHECK(cudaLaunchHostFunc(stream, make_table, &work));
    WORKBOOK_CHECK(cudaMemcpyAsync(device_table, work.table, 256, cudaMemcpyHostToDevice, stream));
    map_kernel<<<ceil_div(n, 256), 256, 0, stream>>>(gray, out, device_table, n);
    WORKBOOK_CHECK(cudaFreeAsync(bins, stream));
    WORKBOOK_CHECK(cudaFreeAsync(device_table, stream));
    WORKBOOK_CHECK(cudaStreamSynchronize(stream));
    WORKBOOK_CHECK(cudaFreeHost(work.counts));
    WORKBOOK_CHECK(cudaFreeHost(work.table));
    WORKBOOK_CHECK(cudaStreamDestroy(stream));
}
