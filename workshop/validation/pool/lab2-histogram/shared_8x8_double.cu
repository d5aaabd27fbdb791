// family: double arithmetic
// Style: blocks of 8 x 8 with a shared histogram each, luminance in double.
// Limit: 256 counters are cleared and added for 64 pixels, in rows of eight bytes.
#include "workbook.cuh"

__device__ void clear(unsigned int* counts) {
    for (int v = threadIdx.y * 8 + threadIdx.x; v < 256; v += 64) counts[v] = 0;
    __syncthreads();
}

__device__ void add(const unsigned int* counts, unsigned int* bins) {
    __syncthreads();
    for (int v = threadIdx.y * 8 + threadIdx.x; v < 256; v += 64)
        if (counts[v] != 0) atomicAdd(bins + v, counts[v]);
}

__global__ void hist8x8(const unsigned char* gray, unsigned int* bins, int width, int height) {
    __shared__ unsigned int counts[256];
    clear(counts);
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height) atomicAdd(counts + gray[y * width + x], 1);
    add(counts, bins);
}

__global__ void gray_hist8x8(const unsigned char* rgb, unsigned char* gray, unsigned int* bins,
                             int width, int height) {
    __shared__ unsigned int counts[256];
    clear(counts);
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height) {
        int i = y * width + x;
        double hundredths = 30.0 * rgb[3 * i] + 59.0 * rgb[3 * i + 1] + 11.0 * rgb[3 * i + 2];
        unsigned char level = (unsigned char)((hundredths + 50.0) / 100.0);
        gray[i] = level;
        atomicAdd(counts + level, 1);
    }
    add(counts, bins);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    dim3 grid(ceil_div(width, 8), ceil_div(height, 8)), block(8, 8);
    hist8x8<<<grid, block>>>(gray, bins, width, height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    dim3 grid(ceil_div(width, 8), ceil_div(height, 8)), block(8, 8);
    gray_hist8x8<<<grid, block>>>(rgb, gray, bins, width, height);
}
