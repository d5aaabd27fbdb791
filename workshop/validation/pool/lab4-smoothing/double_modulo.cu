// family: double arithmetic
// Style: one flat loop with divisions and modulos for every index; sums in double; blocks of 64.
// Limit: instructions: integer divisions, branches at each neighbour and double arithmetic.
#include "workbook.cuh"

__global__ void mean_kernel(const uint8_t* gray, uint8_t* out, int size, bool triangle, int width,
                            int height) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < width * height; i += gridDim.x * 64) {
        double sum = 0.0, total = 0.0;
        for (int k = 0; k < size * size; k++) {
            int dx = k % size - size / 2, dy = k / size - size / 2;
            int x = i % width + dx, y = i / width + dy;
            if (x < 0 || x >= width || y < 0 || y >= height) continue;
            double weight = triangle ? (double)((3 - abs(dx)) * (3 - abs(dy))) : 1.0;
            sum += weight * gray[y * width + x];
            total += weight;
        }
        out[i] = (uint8_t)floor((2.0 * sum + total) / (2.0 * total));
    }
}

__global__ void filter_kernel(const uint8_t* rgb, uint8_t* out, const double* filter, int size,
                              double divisor, int width, int height) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < 3 * width * height; i += gridDim.x * 64) {
        int x = i / 3 % width, y = i / 3 / width, channel = i % 3;
        if (x < 2 || x >= width - 2 || y < 2 || y >= height - 2) {
            out[i] = rgb[i];
            continue;
        }
        double sum = 0.0;
        for (int k = 0; k < size * size; k++) {
            int column = x + k % size - size / 2, row = y + k / size - size / 2;
            sum += filter[k] * rgb[3 * (row * width + column) + channel];
        }
        // Both are whole and small: the quotient of doubles is cut off where that of ints is.
        out[i] = (uint8_t)fmin(fmax(trunc(sum / divisor), 0.0), 255.0);
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean_kernel<<<min(ceil_div(width * height, 64), 65536), 64>>>(gray, out, 5, false, width,
                                                                  height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean_kernel<<<min(ceil_div(width * height, 64), 65536), 64>>>(gray, out, 5, true, width,
                                                                  height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    double host[25];
    for (int k = 0; k < 25; k++) host[k] = filter25[k];
    double* filter;
    cudaMalloc(&filter, sizeof(host));
    cudaMemcpy(filter, host, sizeof(host), cudaMemcpyHostToDevice);
    const int blocks = min(ceil_div(3 * width * height, 64), 65536);
    filter_kernel<<<blocks, 64>>>(rgb, out, filter, 5, (double)divisor, width, height);
    cudaFree(filter);
}
