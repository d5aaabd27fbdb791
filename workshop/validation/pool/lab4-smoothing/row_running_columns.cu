// family: rows
// Style: one thread a row: a window of five column sums runs along it, held in registers.
// Limit: lanes are a whole row apart, and only as many threads as rows.
#include "workbook.cuh"

struct Weighted {
    int sum, weight;
};

template <bool triangle>
__device__ Weighted column(const uint8_t* gray, int x, int y, int width, int height) {
    Weighted w = {0, 0};
    if (x >= width) return w;
    for (int row = max(y - 2, 0); row <= min(y + 2, height - 1); ++row) {
        const int weight = triangle ? 3 - abs(row - y) : 1;
        w.sum += weight * gray[row * width + x];
        w.weight += weight;
    }
    return w;
}

template <bool triangle>
__global__ void smooth_rows(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height) return;
    Weighted a = {0, 0}, b = {0, 0};
    Weighted c = column<triangle>(gray, 0, y, width, height);
    Weighted d = column<triangle>(gray, 1, y, width, height);
    for (int x = 0; x < width; ++x) {
        const Weighted e = column<triangle>(gray, x + 2, y, width, height);
        const int inner = triangle ? 2 : 1, centre = triangle ? 3 : 1;
        const int sum = a.sum + inner * (b.sum + d.sum) + centre * c.sum + e.sum;
        const int weight = a.weight + inner * (b.weight + d.weight) + centre * c.weight + e.weight;
        out[y * width + x] = (sum + weight / 2) / weight;
        a = b;
        b = c;
        c = d;
        d = e;
    }
}

// Each thread has a row again; the 25 weights come from global memory for every channel.
__global__ void filter_rows(const uint8_t* rgb, uint8_t* out, const int* filter, int divisor,
                            int width, int height) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height) return;
    for (int i = 0; i < 3 * width; ++i) {
        const int x = i / 3, at = 3 * y * width + i;
        if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) {
            out[at] = rgb[at];
            continue;
        }
        int sum = 0;
        for (int dy = -2; dy <= 2; ++dy)
            for (int dx = -2; dx <= 2; ++dx)
                sum += filter[5 * dy + dx + 12] * rgb[at + 3 * (dy * width + dx)];
        out[at] = min(max(sum / divisor, 0), 255);
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_rows<false><<<ceil_div(height, 32), 32>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_rows<true><<<ceil_div(height, 32), 32>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter;
    cudaMalloc(&filter, 25 * sizeof(int));
    cudaMemcpy(filter, filter25, 25 * sizeof(int), cudaMemcpyHostToDevice);
    filter_rows<<<ceil_div(height, 32), 32>>>(rgb, out, filter, divisor, width, height);
    cudaFree(filter);
}
