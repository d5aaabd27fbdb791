// family: few blocks
// Style: a single block of 1024 threads counts the whole image, so that no second step is needed.
// Limit: one multiprocessor works, all others are idle; the gray image is made by a kernel before.
#include "workbook.cuh"

__global__ void __launch_bounds__(1024)
    count_alone(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins, int n) {
    __shared__ uint32_t counts[256];
    if (threadIdx.x < 256) counts[threadIdx.x] = 0;
    __syncthreads();
    const uchar4* quads = reinterpret_cast<const uchar4*>(gray);
    for (int q = threadIdx.x; q < n / 4; q += 1024) {
        const uchar4 four = quads[q];
        atomicAdd(&counts[four.x], 1u);
        atomicAdd(&counts[four.y], 1u);
        atomicAdd(&counts[four.z], 1u);
        atomicAdd(&counts[four.w], 1u);
    }
    if (threadIdx.x < n % 4) atomicAdd(&counts[gray[n - 1 - threadIdx.x]], 1u);
    __syncthreads();
    if (threadIdx.x < 256) bins[threadIdx.x] = counts[threadIdx.x];
}

__global__ void make_gray(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    count_alone<<<1, 1024>>>(gray, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    make_gray<<<ceil_div(n, 512), 512>>>(rgb, gray, n);
    count_alone<<<1, 1024>>>(gray, bins, n);
}
