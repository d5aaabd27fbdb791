// family: columns
// style: sums along rows, written transposed; the same kernel again brings rows and columns back; colours are split into transposed planes
// expected bottleneck: stores with a stride of a whole column
#include "workbook.cuh"

// Reads width x height, writes height x width.
template <class In, class Out, bool triangle, bool last>
__global__ void row_sums_transposed(const In* in, Out* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, weight = 0;
    for (int d = -2; d <= 2; d++) {
        if (x + d < 0 || x + d >= width) continue;
        const int w = triangle ? 3 - abs(d) : 1;
        sum += w * in[y * width + x + d];
        weight += w;
    }
    if (last) {
        int other = 0;
        for (int d = -2; d <= 2; d++)
            if (y + d >= 0 && y + d < height) other += triangle ? 3 - abs(d) : 1;
        weight *= other;
        sum = (sum + weight / 2) / weight;
    }
    out[x * height + y] = (Out)sum;
}

__global__ void split_transposed(const uint8_t* rgb, uint8_t* planes, int width, int height) {
    __shared__ uint8_t tile[3][32][32 + 1];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        if (x0 + threadIdx.x < width && y0 + r < height)
            for (int c = 0; c < 3; c++) tile[c][r][threadIdx.x] =
                rgb[3 * ((y0 + r) * width + x0 + threadIdx.x) + c];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        if (x0 + r < width && y0 + threadIdx.x < height)
            for (int c = 0; c < 3; c++) planes[(c * width + x0 + r) * height + y0 + threadIdx.x] =
                tile[c][threadIdx.x][r];
}

// The planes are transposed: their rows are columns of the image.
__global__ void filter_planes(const uint8_t* planes, uint8_t* out, const int* filter, int divisor,
                              int width, int height) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y,
        c = blockIdx.z;
    if (x >= width || y >= height) return;
    const uint8_t* p = planes + (c * width + x) * height + y;
    int level = *p;
    if (x >= 2 && y >= 2 && x < width - 2 && y < height - 2) {
        int sum = 0;
        for (int k = 0; k < 25; k++) sum += filter[k] * p[(k % 5 - 2) * height + k / 5 - 2];
        level = min(max(sum / divisor, 0), 255);
    }
    out[3 * (y * width + x) + c] = level;
}

template <bool triangle>
void mean(const uint8_t* gray, uint8_t* out, int width, int height) {
    uint16_t* turned;
    WORKBOOK_CHECK(cudaMalloc(&turned, sizeof(uint16_t) * width * height));
    const dim3 block(32, 8);
    row_sums_transposed<uint8_t, uint16_t, triangle, false>
        <<<dim3(ceil_div(width, 32), ceil_div(height, 8)), block>>>(gray, turned, width, height);
    row_sums_transposed<uint16_t, uint8_t, triangle, true>
        <<<dim3(ceil_div(height, 32), ceil_div(width, 8)), block>>>(turned, out, height, width);
    WORKBOOK_CHECK(cudaFree(turned));
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean<false>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean<true>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter;
    uint8_t* planes;
    WORKBOOK_CHECK(cudaMalloc(&filter, 100));
    WORKBOOK_CHECK(cudaMalloc(&planes, 3 * (size_t)width * height));
    WORKBOOK_CHECK(cudaMemcpy(filter, filter25, 100, cudaMemcpyHostToDevice));
    const dim3 block(32, 8), tiles(ceil_div(width, 32), ceil_div(height, 32));
    split_transposed<<<tiles, block>>>(rgb, planes, width, height);
    const dim3 turned(ceil_div(height, 32), ceil_div(width, 8), 3);
    filter_planes<<<turned, block>>>(planes, out, filter, divisor, width, height);
    WORKBOOK_CHECK(cudaFree(planes));
    WORKBOOK_CHECK(cudaFree(filter));
}
