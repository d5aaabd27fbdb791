// family: registers
// style: a private array of 25 neighbours is filled in a ring and read back from a place known only at run time
// expected bottleneck: local memory traffic, 50 accesses per pixel
#include "workbook.cuh"

__global__ void ring_mean(const uint8_t* in, uint8_t* out, int width, int height, int start,
                          bool triangle) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int ring[25];
    int place = start;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            const bool exists = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
            ring[place] = exists ? in[(y + dy) * width + x + dx] : -1;
            if (++place == 25) place = 0;
        }
    int sum = 0, weights = 0;
    for (int k = 0; k < 25; k++) {
        const int value = ring[(start + k) % 25];
        const int weight = triangle ? (3 - abs(k / 5 - 2)) * (3 - abs(k % 5 - 2)) : 1;
        sum += value >= 0 ? weight * value : 0;
        weights += value >= 0 ? weight : 0;
    }
    out[y * width + x] = (sum + weights / 2) / weights;
}

__global__ void ring_filter(const uint8_t* in, uint8_t* out, const int* filter, int divisor,
                            int width, int height, int start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 3 * width || y >= height) return;
    const int pitch = 3 * width;
    if (x < 6 || y < 2 || x >= pitch - 6 || y >= height - 2) {
        out[y * pitch + x] = in[y * pitch + x];
        return;
    }
    int ring[25];
    int place = start;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            ring[place] = in[(y + dy) * pitch + x + 3 * dx];
            if (++place == 25) place = 0;
        }
    int sum = 0;
    for (int k = 0; k < 25; k++) sum += filter[k] * ring[(start + k) % 25];
    out[y * pitch + x] = min(max(sum / divisor, 0), 255);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 block(64, 4), grid(ceil_div(width, 64), ceil_div(height, 4));
    ring_mean<<<grid, block>>>(gray, out, width, height, 11, false);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 block(64, 4), grid(ceil_div(width, 64), ceil_div(height, 4));
    ring_mean<<<grid, block>>>(gray, out, width, height, 11, true);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter;
    WORKBOOK_CHECK(cudaMalloc(&filter, 100));
    WORKBOOK_CHECK(cudaMemcpy(filter, filter25, 100, cudaMemcpyHostToDevice));
    dim3 block(64, 4), grid(ceil_div(3 * width, 64), ceil_div(height, 4));
    ring_filter<<<grid, block>>>(rgb, out, filter, divisor, width, height, 11);
    WORKBOOK_CHECK(cudaFree(filter));
}
