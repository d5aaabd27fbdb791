// why: one warp fills the stages of a cuda::pipeline, and the others count what lies there.
// tasks: histogram
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "workbook.cuh"

namespace cg = cooperative_groups;

constexpr int stages = 3, bytes = 2048;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ alignas(16) uint8_t stage[stages][bytes];
    __shared__ uint32_t counts[256];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    const auto block = cg::this_thread_block();
    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer
                                       : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    for (int level = threadIdx.x; level < 256; level += blockDim.x) counts[level] = 0;
    block.sync();
    const int chunks = pixels / bytes;
    int at = 0;
    for (int chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x, at = (at + 1) % stages) {
        if (role == cuda::pipeline_role::producer) {
            pipe.producer_acquire();
            cuda::memcpy_async(cg::tiled_partition<32>(block), stage[at], gray + chunk * bytes,
                               cuda::aligned_size_t<16>(bytes), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            for (int i = threadIdx.x - 32; i < bytes; i += blockDim.x - 32)
                atomicAdd(&counts[stage[at][i]], 1u);
            pipe.consumer_release();
        }
    }
    if (blockIdx.x == 0)
        for (int i = chunks * bytes + threadIdx.x; i < pixels; i += blockDim.x)
            atomicAdd(&counts[gray[i]], 1u);
    block.sync();
    for (int level = threadIdx.x; level < 256; level += blockDim.x)
        if (counts[level] > 0) atomicAdd(&bins[level], counts[level]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    histogram_kernel<<<132, 160>>>(gray, bins, width * height);
}
