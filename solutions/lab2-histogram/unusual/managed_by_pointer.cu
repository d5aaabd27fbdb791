// why: a __managed__ array is passed to the kernel by its address.
// tasks: histogram
#include "workbook.cuh"

struct Counts {
    uint32_t of[256];
    int total;
};
__managed__ Counts counts;

__global__ void count_kernel(Counts* counts, const uint8_t* gray, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&counts->of[gray[i]], 1u);
    if (threadIdx.x == 0) counts->total = n;
}
__global__ void publish_kernel(const uint32_t* of, uint32_t* bins) {
    bins[threadIdx.x] = of[threadIdx.x];
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    memset(&counts, 0, sizeof(counts));
    count_kernel<<<1, 512>>>(&counts, gray, width * height);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    if (counts.total == width * height) publish_kernel<<<1, 256>>>(counts.of, bins);
}
