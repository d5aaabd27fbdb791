// family: separable, two launches
// style: image library of old: rows to a 16-bit scratch image, then columns; the colour image is split into planes first
// expected bottleneck: memory traffic of the scratch images, each written once and read about once
#include "workbook.cuh"

// Weights of a row or column: {outer, inner, centre}.
struct Kernel1D {
    int outer, inner, centre;
    __host__ __device__ int total(int at, int size) const {
        return centre + (at >= 1 ? inner : 0) + (at >= 2 ? outer : 0) + (at + 1 < size ? inner : 0) +
               (at + 2 < size ? outer : 0);
    }
};

__global__ void rows(const uint8_t* in, uint16_t* scratch, Kernel1D k, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    const uint8_t* row = in + (size_t)blockIdx.y * width;
    int sum = k.centre * row[x];
    if (x >= 1) sum += k.inner * row[x - 1];
    if (x >= 2) sum += k.outer * row[x - 2];
    if (x + 1 < width) sum += k.inner * row[x + 1];
    if (x + 2 < width) sum += k.outer * row[x + 2];
    scratch[(size_t)blockIdx.y * width + x] = sum;
}

__global__ void columns(const uint16_t* scratch, uint8_t* out, Kernel1D k, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x >= width) return;
    const uint16_t* at = scratch + (size_t)y * width + x;
    int sum = k.centre * at[0];
    if (y >= 1) sum += k.inner * *(at - width);
    if (y >= 2) sum += k.outer * *(at - 2 * width);
    if (y + 1 < height) sum += k.inner * at[width];
    if (y + 2 < height) sum += k.outer * at[2 * width];
    int weight = k.total(x, width) * k.total(y, height);
    out[(size_t)y * width + x] = (sum + weight / 2) / weight;
}

static void separable(const uint8_t* gray, uint8_t* out, Kernel1D k, int width, int height) {
    uint16_t* scratch;
    WORKBOOK_CHECK(cudaMalloc(&scratch, (size_t)width * height * sizeof(uint16_t)));
    dim3 grid(ceil_div(width, 256), height);
    rows<<<grid, 256>>>(gray, scratch, k, width);
    columns<<<grid, 256>>>(scratch, out, k, width, height);
    WORKBOOK_CHECK(cudaFree(scratch));
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    separable(gray, out, Kernel1D{1, 1, 1}, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    separable(gray, out, Kernel1D{1, 2, 3}, width, height);
}

struct Mask {
    int weight[25];
};

__global__ void split(const uint8_t* rgb, uint8_t* planes, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        for (int c = 0; c < 3; c++) planes[(size_t)c * pixels + i] = rgb[3 * (size_t)i + c];
}

__global__ void convolve(const uint8_t* in, uint8_t* out, Mask mask, int divisor, int width,
                         int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x >= width) return;
    size_t plane = (size_t)blockIdx.z * width * height;
    const uint8_t* at = in + plane + (size_t)y * width + x;
    int level = *at;
    if (x >= 2 && y >= 2 && x < width - 2 && y < height - 2) {
        int sum = 0;
#pragma unroll
        for (int k = 0; k < 25; k++) sum += mask.weight[k] * at[(k / 5 - 2) * width + k % 5 - 2];
        level = min(max(sum / divisor, 0), 255);
    }
    out[plane + (size_t)y * width + x] = level;
}

__global__ void join(const uint8_t* planes, uint8_t* rgb, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        for (int c = 0; c < 3; c++) rgb[3 * (size_t)i + c] = planes[(size_t)c * pixels + i];
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int pixels = width * height;
    uint8_t *before, *after;
    WORKBOOK_CHECK(cudaMalloc(&before, 3 * (size_t)pixels));
    WORKBOOK_CHECK(cudaMalloc(&after, 3 * (size_t)pixels));
    Mask mask;
    memcpy(mask.weight, filter25, sizeof mask.weight);
    split<<<ceil_div(pixels, 256), 256>>>(rgb, before, pixels);
    convolve<<<dim3(ceil_div(width, 256), height, 3), 256>>>(before, after, mask, divisor, width,
                                                          height);
    join<<<ceil_div(pixels, 256), 256>>>(after, out, pixels);
    WORKBOOK_CHECK(cudaFree(before));
    WORKBOOK_CHECK(cudaFree(after));
}
