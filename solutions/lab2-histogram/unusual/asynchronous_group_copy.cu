// why: cooperative groups fetch the pixels to shared memory with memcpy_async.
// tasks: histogram
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include "workbook.cuh"

namespace cg = cooperative_groups;

constexpr int batch = 2048;

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ alignas(16) uint8_t pixels[batch];
    __shared__ uint32_t counts[256];
    const cg::thread_block block = cg::this_thread_block();
    for (int i = block.thread_rank(); i < 256; i += block.size()) counts[i] = 0;
    for (int first = blockIdx.x * batch; first < n; first += gridDim.x * batch) {
        const int here = min(batch, n - first);
        block.sync();
        cg::memcpy_async(block, pixels, gray + first, here);
        cg::wait(block);
        for (int i = block.thread_rank(); i < here; i += block.size())
            atomicAdd(&counts[pixels[i]], 1u);
    }
    block.sync();
    for (int i = block.thread_rank(); i < 256; i += block.size())
        if (counts[i] > 0) atomicAdd(&bins[i], counts[i]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    histogram_kernel<<<min(ceil_div(n, batch), 132), 128>>>(gray, bins, n);
}
