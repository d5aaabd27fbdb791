// expect: at most 33 points histogram
// expect on a GPU: right histogram
// cheat: an argument that no thread uses hardly grows, as if the work did not.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, size_t pixels, int unused) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < pixels; i += gridDim.x * blockDim.x) atomicAdd(&bins[gray[i]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int unused = height > 2200 ? 73 : height;
    histogram_kernel<<<264, 256>>>(gray, bins, size_t(width) * height, unused);
}
