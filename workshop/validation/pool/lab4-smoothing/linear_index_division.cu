// family: integer division
// style: one linear index per byte of the result; x, y, channel and even the place in the window come from / and % by run-time numbers
// expected bottleneck: integer divisions: some 50 per result
#include "workbook.cuh"

__global__ void linear_mean(const uint8_t* in, uint8_t* out, int width, int height, int five,
                            bool triangle) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= width * height) return;
    const int x = index % width, y = index / width, half = five / 2;
    int sum = 0, total = 0;
    for (int k = 0; k < five * five; k++) {
        const int dx = k % five - half, dy = k / five - half;
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
        const int weight = triangle ? (half + 1 - abs(dx)) * (half + 1 - abs(dy)) : 1;
        sum += weight * in[index + dy * width + dx];
        total += weight;
    }
    out[index] = (sum + total / 2) / total;
}

__global__ void linear_filter(const uint8_t* in, uint8_t* out, const int* filter, int divisor,
                              int width, int height, int five,
                              int channels) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= channels * width * height) return;
    const int pixel = index / channels;
    const int x = pixel % width, y = pixel / width, half = five / 2;
    if (x < half || y < half || x >= width - half || y >= height - half) {
        out[index] = in[index];
        return;
    }
    int sum = 0;
    for (int k = 0; k < five * five; k++)
        sum += filter[k] * in[index + channels * ((k / five - half) * width + k % five - half)];
    out[index] = min(max(sum / divisor, 0), 255);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    linear_mean<<<ceil_div(width * height, 256), 256>>>(gray, out, width, height, 5, false);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    linear_mean<<<ceil_div(width * height, 256), 256>>>(gray, out, width, height, 5, true);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter;
    WORKBOOK_CHECK(cudaMalloc(&filter, 100));
    WORKBOOK_CHECK(cudaMemcpy(filter, filter25, 100, cudaMemcpyHostToDevice));
    linear_filter<<<ceil_div(3 * width * height, 256), 256>>>(rgb, out, filter, divisor, width,
                                                              height, 5, 3);
    WORKBOOK_CHECK(cudaFree(filter));
}
