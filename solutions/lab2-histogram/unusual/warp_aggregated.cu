// why: lanes with one level elect a leader by match_any, and the tile is a cooperative group.
// tasks: histogram, gray_histogram
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "workbook.cuh"

namespace cg = cooperative_groups;

template <class Group>
__device__ void add(const Group& active, uint32_t* bins, uint32_t level) {
    const auto same = cg::labeled_partition(active, level);
    if (same.thread_rank() == 0) atomicAdd(&bins[level], static_cast<uint32_t>(same.size()));
}

template <class Level>
__device__ void count(const Level& level_of, uint32_t* bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        add(cg::coalesced_threads(), bins, level_of(i));
}

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* bins, int n) {
    count([=](int i) { return static_cast<uint32_t>(__ldg(gray + i)); }, bins, n);
}

__global__ void gray_histogram_kernel(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int n) {
    count(
        [=](int i) {
            const uint32_t sum = 30u * rgb[3 * i] + 59u * rgb[3 * i + 1] + 11u * rgb[3 * i + 2];
            return static_cast<uint32_t>(gray[i] = (sum + 50) / 100);
        },
        bins, n);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    histogram_kernel<<<ceil_div(n, 1024), 256>>>(gray, bins, n);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    gray_histogram_kernel<<<ceil_div(n, 1024), 256>>>(rgb, gray, bins, n);
}
