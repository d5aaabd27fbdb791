// expect: finding race
// tasks: histogram
// engine: simulator
// fault: a function in a stream runs after the kernel; the host takes its launch for its end.
#include "workbook.cuh"

__global__ void count_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ counts,
                             int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
}

void counted(void* done) { *static_cast<int*>(done) = 1; }

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    uint32_t* counts;
    int* done;
    WORKBOOK_CHECK(cudaMallocManaged(&counts, 256 * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMallocHost(&done, sizeof(int)));
    for (int level = 0; level < 256; ++level) counts[level] = 0;
    *done = 0;
    count_kernel<<<ceil_div(pixels, 256), 256>>>(gray, counts, pixels);
    WORKBOOK_CHECK(cudaLaunchHostFunc(0, counted, done));
    uint32_t copy[256];
    for (int level = 0; level < 256; ++level) copy[level] = counts[level];  // <- here
    WORKBOOK_CHECK(cudaMemcpy(bins, copy, sizeof(copy), cudaMemcpyHostToDevice));
    WORKBOOK_CHECK(cudaFree(counts));
    WORKBOOK_CHECK(cudaFreeHost(done));
}
