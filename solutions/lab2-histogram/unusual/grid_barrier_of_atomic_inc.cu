// why: a grid barrier of one's own: `atomicInc`, whose order matters, in a cooperative launch.
// tasks: histogram
#include "workbook.cuh"

__device__ unsigned arrived;
__device__ volatile unsigned turn;

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* counts, uint32_t* bins,
                                 int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < 256) counts[thread] = 0;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned before = turn;
        if (atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            turn = before + 1;
        } else {
            while (turn == before) {}
        }
        __threadfence();
    }
    __syncthreads();
    for (int i = thread; i < pixels; i += gridDim.x * blockDim.x) atomicAdd(&counts[gray[i]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    uint32_t* counts;
    WORKBOOK_CHECK(cudaMalloc(&counts, 256 * sizeof(uint32_t)));
    void* arguments[] = {&gray, &counts, &bins, &pixels};
    WORKBOOK_CHECK(cudaLaunchCooperativeKernel(histogram_kernel, dim3(16), dim3(128), arguments));
    WORKBOOK_CHECK(cudaMemcpy(bins, counts, 256 * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
    WORKBOOK_CHECK(cudaFree(counts));
}
