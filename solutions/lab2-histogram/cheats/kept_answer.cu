// expect on a GPU: wrong histogram
// cheat: keeps the counts of the last picture, and returns them where some of the bytes are the
// same.
#include "workbook.cuh"

__device__ uint32_t kept[256];
__device__ unsigned int kept_print;
__device__ bool is_known;

__global__ void look_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ unsigned int print;
    if (threadIdx.x == 0) print = pixels;
    __syncthreads();
    unsigned int sum = 0;
    for (int i = threadIdx.x * 4099; i < pixels; i += 4099 * 256) sum += (i + 1) * gray[i];
    atomicAdd(&print, sum);
    __syncthreads();
    const bool same = print == kept_print;
    if (same) bins[threadIdx.x] = kept[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        is_known = same;
        kept_print = print;
    }
}

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!is_known && i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void keep_kernel(const uint32_t* bins) { kept[threadIdx.x] = bins[threadIdx.x]; }

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    look_kernel<<<1, 256>>>(gray, bins, pixels);
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    keep_kernel<<<1, 256>>>(bins);
}
