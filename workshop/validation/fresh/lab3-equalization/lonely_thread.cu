// family: table by one thread on the GPU
// style: student who wants no copies: a kernel of one block with one thread computes the table
// expected bottleneck: latency of the lonely thread's loads, far longer than either pass over the image
#include "workbook.cuh"

__device__ uint32_t d_bins[256];
__device__ uint8_t d_table[256];

__global__ void clear_bins() { d_bins[threadIdx.x] = 0; }

__global__ void count(const uint8_t* gray, int pixels) {
    __shared__ uint32_t local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    int begin = blockIdx.x * 256 * 20 + threadIdx.x;
    for (int k = 0; k < 20; k++) {
        int i = begin + k * 256;
        if (i < pixels) atomicAdd(&local[gray[i]], 1);
    }
    __syncthreads();
    atomicAdd(&d_bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void stretch_table(int pixels) {
    uint32_t enough = (pixels + 1023) / 1024;
    int low = -1, high = -1;
    for (int v = 0; v < 256; v++) {
        if (d_bins[v] >= enough) {
            if (low < 0) low = v;
            high = v;
        }
    }
    for (int v = 0; v < 256; v++) {
        int level = v;
        if (low < high) {
            level = (510 * (v - low) + (high - low)) / (2 * (high - low));
            if (v < low) level = 0;
            if (v > high) level = 255;
        }
        d_table[v] = (uint8_t)level;
    }
}

__global__ void equalize_table(int pixels) {
    uint32_t cdf = 0, smallest = 0;
    for (int v = 0; v < 256; v++) {
        uint32_t n = d_bins[v];
        if (smallest == 0) smallest = n;
        cdf += n;
        if (n == (uint32_t)pixels || cdf == 0)
            d_table[v] = (uint8_t)v;
        else if (smallest == (uint32_t)pixels)
            d_table[v] = (uint8_t)v;
        else
            d_table[v] = (uint8_t)(255.0f * (cdf - smallest) / (pixels - smallest) + 0.5f);
    }
}

__global__ void look_up(const uint8_t* gray, uint8_t* out, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = d_table[gray[i]];
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pixels = width * height;
    clear_bins<<<1, 256>>>();
    count<<<ceil_div(pixels, 256 * 20), 256>>>(gray, pixels);
    stretch_table<<<1, 1>>>(pixels);
    look_up<<<ceil_div(pixels, 256), 256>>>(gray, out, pixels);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pixels = width * height;
    clear_bins<<<1, 256>>>();
    count<<<ceil_div(pixels, 256 * 20), 256>>>(gray, pixels);
    equalize_table<<<1, 1>>>(pixels);
    look_up<<<ceil_div(pixels, 256), 256>>>(gray, out, pixels);
}
