// why: std::vector, std::accumulate and std::unique_ptr with a deleter in the host function.
// tasks: histogram
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>
#include "workbook.cuh"

struct CudaFree {
    void operator()(void* pointer) const { cudaFree(pointer); }
};
template <class T>
using device_ptr = std::unique_ptr<T, CudaFree>;

template <class T>
device_ptr<T> device_alloc(size_t count) {
    T* pointer = nullptr;
    WORKBOOK_CHECK(cudaMalloc(&pointer, count * sizeof(T)));
    return device_ptr<T>(pointer);
}

__global__ void count_rows(const uint8_t* gray, uint32_t* rows, int width, int height) {
    const int y = blockIdx.x;
    for (int x = threadIdx.x; x < width; x += blockDim.x)
        atomicAdd(&rows[(y % 4) * 256 + gray[size_t(y) * width + x]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const auto rows = device_alloc<uint32_t>(4 * 256);
    WORKBOOK_CHECK(cudaMemset(rows.get(), 0, 4 * 256 * sizeof(uint32_t)));
    count_rows<<<height, 128>>>(gray, rows.get(), width, height);
    std::vector<uint32_t> host(4 * 256), sums(256, 0u);
    WORKBOOK_CHECK(cudaMemcpy(host.data(), rows.get(), host.size() * sizeof(uint32_t),
                              cudaMemcpyDeviceToHost));
    for (int part = 0; part < 4; ++part)
        std::transform(sums.begin(), sums.end(), host.begin() + part * 256, sums.begin(),
                       [](uint32_t a, uint32_t b) { return a + b; });
    if (std::accumulate(sums.begin(), sums.end(), 0u) != uint32_t(width) * height) return;
    WORKBOOK_CHECK(cudaMemcpy(bins, sums.data(), 256 * sizeof(uint32_t), cudaMemcpyHostToDevice));
}
