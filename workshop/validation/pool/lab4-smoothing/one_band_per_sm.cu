// family: few blocks
// style: as many blocks of 1024 threads as multiprocessors; each owns a band of rows and walks along it, all threads on one row
// expected bottleneck: latency: one row at a time, 25 loads per result, and idle threads at row ends
#include "workbook.cuh"

template <bool triangle>
__global__ void __launch_bounds__(1024) bands(const uint8_t* __restrict__ gray,
                                              uint8_t* __restrict__ out, int width, int height) {
    const int from = (int)((long long)height * blockIdx.x / gridDim.x);
    const int to = (int)((long long)height * (blockIdx.x + 1) / gridDim.x);
    for (int y = from; y < to; y++) {
        const int up = min(y, 2), down = min(height - 1 - y, 2);
        for (int x = threadIdx.x; x < width; x += 1024) {
            const int left = min(x, 2), right = min(width - 1 - x, 2);
            int sum = 0, weight = 0;
            for (int dy = -up; dy <= down; dy++)
                for (int dx = -left; dx <= right; dx++) {
                    const int w = triangle ? (3 - abs(dx)) * (3 - abs(dy)) : 1;
                    sum += w * __ldg(&gray[(y + dy) * width + x + dx]);
                    weight += w;
                }
            out[y * width + x] = (sum + weight / 2) / weight;
        }
    }
}

__constant__ int coefficients[25];

__global__ void __launch_bounds__(1024) filter_bands(const uint8_t* __restrict__ rgb,
                                                     uint8_t* __restrict__ out, int divisor,
                                                     int width, int height) {
    const int from = (int)((long long)height * blockIdx.x / gridDim.x);
    const int to = (int)((long long)height * (blockIdx.x + 1) / gridDim.x);
    const int pitch = 3 * width;
    for (int y = from; y < to; y++)
        for (int b = threadIdx.x; b < pitch; b += 1024) {
            const uint8_t* p = rgb + y * pitch + b;
            if (y < 2 || y >= height - 2 || b < 6 || b >= pitch - 6) {
                out[y * pitch + b] = *p;
                continue;
            }
            int sum = 0;
#pragma unroll
            for (int k = 0; k < 25; k++)
                sum += coefficients[k] * __ldg(p + (k / 5 - 2) * pitch + 3 * (k % 5 - 2));
            out[y * pitch + b] = min(max(sum / divisor, 0), 255);
        }
}

static int multiprocessors() {
    int count = 1;
    WORKBOOK_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return count;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    bands<false><<<multiprocessors(), 1024>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    bands<true><<<multiprocessors(), 1024>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(coefficients, filter25, sizeof(coefficients)));
    filter_bands<<<multiprocessors(), 1024>>>(rgb, out, divisor, width, height);
}
