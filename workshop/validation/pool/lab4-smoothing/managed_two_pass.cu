// family: host memory
// style: two passes with a temporary in managed memory; between them the host computes weights into the same allocation
// expected bottleneck: page faults of the temporary on first touch, and the wait for the host
#include "workbook.cuh"

__global__ void sum_rows(const uint8_t* gray, uint16_t* sums, const int* taps, int width,
                         int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    int sum = 0;
    for (int d = -2; d <= 2; d++)
        if (x + d >= 0 && x + d < width) sum += taps[d + 2] * gray[y * width + x + d];
    sums[y * width + x] = sum;
}

__global__ void sum_columns(const uint16_t* sums, uint8_t* out, const int* taps,
                            const int* weight_x, const int* weight_y,
                            int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    int sum = 0;
    for (int d = -2; d <= 2; d++)
        if (y + d >= 0 && y + d < height) sum += taps[d + 2] * sums[(y + d) * width + x];
    const int weight = weight_x[x] * weight_y[y];
    out[y * width + x] = (sum + weight / 2) / weight;
}

__global__ void filter_managed(const uint8_t* rgb, uint8_t* out, const int* filter, int* clamped,
                               int divisor, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, pitch = 3 * width;
    if (x >= pitch) return;
    int level = rgb[y * pitch + x];
    if (x >= 6 && x < pitch - 6 && y >= 2 && y < height - 2) {
        int sum = 0;
        for (int k = 0; k < 25; k++)
            sum += filter[k] * rgb[(y + k / 5 - 2) * pitch + x + 3 * (k % 5 - 2)];
        level = sum / divisor;
        if (x == 6 && level != min(max(level, 0), 255)) atomicAdd(clamped, 1);
        level = min(max(level, 0), 255);
    }
    out[y * pitch + x] = level;
}

static int reach(const int* taps, int i, int size) {
    int sum = 0;
    for (int d = -2; d <= 2; d++)
        if (i + d >= 0 && i + d < size) sum += taps[d + 2];
    return sum;
}

static void two_passes(const uint8_t* gray, uint8_t* out, int width, int height,
                       const int* weights) {
    int* numbers;  // five taps, then the weights of columns and rows
    uint16_t* sums;
    WORKBOOK_CHECK(cudaMallocManaged(&numbers, (5 + width + height) * sizeof(int)));
    WORKBOOK_CHECK(cudaMallocManaged(&sums, sizeof(uint16_t) * width * height));
    for (int k = 0; k < 5; k++) numbers[k] = weights[k];
    const dim3 grid(ceil_div(width, 256), height);
    sum_rows<<<grid, 256>>>(gray, sums, numbers, width, height);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    int* weight_x = numbers + 5;
    int* weight_y = weight_x + width;
    for (int x = 0; x < width; x++) weight_x[x] = reach(numbers, x, width);
    for (int y = 0; y < height; y++) weight_y[y] = reach(numbers, y, height);
    sum_columns<<<grid, 256>>>(sums, out, numbers, weight_x, weight_y, width, height);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    WORKBOOK_CHECK(cudaFree(sums));
    WORKBOOK_CHECK(cudaFree(numbers));
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int taps[5] = {1, 1, 1, 1, 1};
    two_passes(gray, out, width, height, taps);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int taps[5] = {1, 2, 3, 2, 1};
    two_passes(gray, out, width, height, taps);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter;
    WORKBOOK_CHECK(cudaMallocManaged(&filter, 26 * sizeof(int)));
    for (int k = 0; k < 25; k++) filter[k] = filter25[k];
    filter[25] = 0;
    filter_managed<<<dim3(ceil_div(3 * width, 256), height), 256>>>(rgb, out, filter, filter + 25,
                                                                    divisor, width, height);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    if (filter[25] > height) printf("%d clamped\n", filter[25]);
    WORKBOOK_CHECK(cudaFree(filter));
}
