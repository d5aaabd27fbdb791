// family: two passes over the image
// style: bad on purpose: one launch counts levels below 128, another one the rest; counters per half warp
// expected bottleneck: the second read of the image, and idle lanes where the level belongs to the other pass
#include "workbook.cuh"

constexpr int copies = 16;

__global__ void count_half(const uint8_t* gray, uint32_t* bins, int lowest, int pixels) {
    __shared__ uint32_t counts[copies][128];
    for (int i = threadIdx.x; i < copies * 128; i += blockDim.x) counts[i / 128][i % 128] = 0;
    __syncthreads();
    int copy = (threadIdx.x / 16) % copies;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
        int level = gray[i] - lowest;
        if (level >= 0 && level < 128) atomicAdd(&counts[copy][level], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        uint32_t sum = 0;
        for (int c = 0; c < copies; c++) sum += counts[c][threadIdx.x];
        if (sum) atomicAdd(&bins[lowest + threadIdx.x], sum);
    }
}

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        const uint8_t* p = rgb + 3 * i;
        gray[i] = (30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100;
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    count_half<<<400, 256>>>(gray, bins, 0, pixels);
    count_half<<<400, 256>>>(gray, bins, 128, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    to_gray<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    histogram(gray, bins, width, height);
}
