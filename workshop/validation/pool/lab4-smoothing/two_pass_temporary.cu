// family: temporary images
// Style: separable in two kernels with a temporary image of 16 bits; colour is split into planes.
// Limit: the temporary images' traffic: every step writes what the next one reads.
#include "workbook.cuh"

__constant__ int kernel25[25];

template <bool triangle>
__global__ void along_rows(const uint8_t* in, uint16_t* sums, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    int sum = 0;
#pragma unroll
    for (int d = -2; d <= 2; ++d)
        if (x + d >= 0 && x + d < width) sum += (triangle ? 3 - abs(d) : 1) * in[y * width + x + d];
    sums[y * width + x] = sum;
}

// Of the neighbours that exist along a side.
template <bool triangle>
__device__ int weights(int position, int side) {
    int total = 0;
    for (int d = -2; d <= 2; ++d)
        if (position + d >= 0 && position + d < side) total += triangle ? 3 - abs(d) : 1;
    return total;
}

template <bool triangle>
__global__ void along_columns(const uint16_t* sums, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    int sum = 0;
#pragma unroll
    for (int d = -2; d <= 2; ++d)
        if (y + d >= 0 && y + d < height)
            sum += (triangle ? 3 - abs(d) : 1) * sums[(y + d) * width + x];
    const int total = weights<triangle>(x, width) * weights<triangle>(y, height);
    out[y * width + x] = (sum + total / 2) / total;
}

template <bool triangle>
void smooth(const uint8_t* gray, uint8_t* out, int width, int height) {
    uint16_t* sums;
    cudaMalloc(&sums, 2 * static_cast<size_t>(width) * height);
    const dim3 grid(ceil_div(width, 256), height);
    along_rows<triangle><<<grid, 256>>>(gray, sums, width, height);
    along_columns<triangle><<<grid, 256>>>(sums, out, width, height);
    cudaFree(sums);
}

__global__ void split(const uint8_t* rgb, uint8_t* planes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int c = 0; c < 3; ++c) planes[c * n + i] = rgb[3 * i + c];
}

__global__ void filter_plane(const uint8_t* plane, uint8_t* out, int channel, int divisor,
                             int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    const int i = y * width + x;
    int result = plane[i];
    if (x >= 2 && y >= 2 && x < width - 2 && y < height - 2) {
        int sum = 0;
#pragma unroll
        for (int k = 0; k < 25; ++k)
            sum += kernel25[k] * plane[i + (k / 5 - 2) * width + (k % 5 - 2)];
        result = min(max(sum / divisor, 0), 255);
    }
    out[3 * i + channel] = result;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<false>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<true>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    const int n = width * height;
    cudaMemcpyToSymbol(kernel25, filter25, sizeof(kernel25));
    uint8_t* planes;
    cudaMalloc(&planes, 3 * static_cast<size_t>(n));
    split<<<ceil_div(n, 256), 256>>>(rgb, planes, n);
    const dim3 grid(ceil_div(width, 256), height);
    for (int c = 0; c < 3; ++c)
        filter_plane<<<grid, 256>>>(planes + c * n, out, c, divisor, width, height);
    cudaFree(planes);
}
