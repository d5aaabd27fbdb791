// why: a cooperative launch whose blocks meet at a barrier of their own, by atomics and a spin.
// tasks: histogram
#include "workbook.cuh"

__device__ unsigned int come = 0;
__device__ volatile unsigned int round_of = 0;

// Every block of a cooperative launch is resident, so waiting ends.
__device__ void grid_barrier() {
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned int mine = round_of;
        __threadfence();
        if (atomicAdd(&come, 1u) == gridDim.x - 1) {
            come = 0;
            __threadfence();
            round_of = mine + 1;
        } else {
            while (round_of == mine) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* partial, uint32_t* bins, int n) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    partial[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
    grid_barrier();
    for (int level = blockIdx.x; level < 256; level += gridDim.x) {
        if (threadIdx.x != 0) continue;
        uint32_t sum = 0;
        for (int block = 0; block < gridDim.x; ++block) sum += partial[block * 256 + level];
        bins[level] = sum;
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int n = width * height;
    const int blocks = min(ceil_div(n, 256), 8);
    uint32_t* partial;
    WORKBOOK_CHECK(cudaMalloc(&partial, blocks * 256 * sizeof(uint32_t)));
    void* arguments[] = {&gray, &partial, &bins, &n};
    WORKBOOK_CHECK(cudaLaunchCooperativeKernel(histogram_kernel, blocks, 256, arguments));
    WORKBOOK_CHECK(cudaFree(partial));
}
