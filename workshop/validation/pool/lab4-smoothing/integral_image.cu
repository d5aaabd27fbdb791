// family: temporary images
// Style: a summed-area table; the triangle is the sum of nine boxes; the filter runs tap by tap.
// Limit: traffic of four-byte temporaries; the column sums have few threads, taps are 25 launches.
#include "workbook.cuh"

constexpr int threads = 256;

// table[y][x] is the sum of gray[y][0..x]. A block a row, piece by piece.
__global__ void sum_rows(const uint8_t* gray, uint32_t* table, int width) {
    __shared__ uint32_t sums[2][threads];
    uint32_t carry = 0;
    for (int base = 0; base < width; base += threads) {
        const int x = base + threadIdx.x;
        sums[0][threadIdx.x] = x < width ? gray[blockIdx.x * width + x] : 0;
        int from = 0;
        for (int offset = 1; offset < threads; offset *= 2) {
            __syncthreads();
            uint32_t sum = sums[from][threadIdx.x];
            if (threadIdx.x >= offset) sum += sums[from][threadIdx.x - offset];
            from = 1 - from;
            sums[from][threadIdx.x] = sum;
        }
        __syncthreads();
        if (x < width) table[blockIdx.x * width + x] = carry + sums[from][threadIdx.x];
        carry += sums[from][threads - 1];
        __syncthreads();  // the next piece overwrites the sums
    }
}

__global__ void sum_columns(uint32_t* table, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    uint32_t sum = 0;
    for (int y = 0; y < height; ++y) table[y * width + x] = sum += table[y * width + x];
}

// Sums of large images wrap around; the differences of four are right all the same.
__device__ uint32_t upto(const uint32_t* table, int x, int y, int width) {
    return x < 0 || y < 0 ? 0 : table[y * width + x];
}

// Radii from `smallest` to 2 in both directions: one box, or the nine that make the triangle.
__global__ void boxes(const uint32_t* table, uint8_t* out, int smallest, int width, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    uint32_t sum = 0, area = 0;
    for (int b = smallest; b <= 2; ++b) {
        for (int a = smallest; a <= 2; ++a) {
            const int left = max(x - a, 0) - 1, right = min(x + a, width - 1);
            const int top = max(y - b, 0) - 1, bottom = min(y + b, height - 1);
            sum += upto(table, right, bottom, width) - upto(table, left, bottom, width) -
                   upto(table, right, top, width) + upto(table, left, top, width);
            area += (right - left) * (bottom - top);
        }
    }
    out[y * width + x] = (sum + area / 2) / area;
}

void smooth(const uint8_t* gray, uint8_t* out, int smallest, int width, int height) {
    uint32_t* table;
    cudaMalloc(&table, sizeof(uint32_t) * width * height);
    sum_rows<<<height, threads>>>(gray, table, width);
    sum_columns<<<ceil_div(width, 64), 64>>>(table, width, height);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    boxes<<<grid, dim3(32, 8)>>>(table, out, smallest, width, height);
    cudaFree(table);
}

// Adds weight times the byte `shift` away; the n bytes from first on have such a neighbour.
__global__ void add_tap(const uint8_t* rgb, int* sums, int weight, int shift, int first, int n) {
    const int i = blockIdx.x * threads + threadIdx.x;
    if (i < n) sums[first + i] += weight * rgb[first + i + shift];
}

__global__ void finish(const uint8_t* rgb, uint8_t* out, const int* sums, int divisor, int width,
                       int height) {
    const int i = blockIdx.x * threads + threadIdx.x;
    const int x = i / 3 % width, y = i / 3 / width;
    if (y >= height) return;
    const bool border = x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
    out[i] = border ? rgb[i] : min(max(sums[i] / divisor, 0), 255);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth(gray, out, 2, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth(gray, out, 0, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    const int bytes = 3 * width * height;
    const int first = 3 * (2 * width + 2), inner = bytes - 2 * first;
    int* sums;
    cudaMalloc(&sums, sizeof(int) * static_cast<size_t>(bytes));
    cudaMemset(sums, 0, sizeof(int) * static_cast<size_t>(bytes));
    for (int k = 0; k < 25 && inner > 0; ++k) {
        const int shift = 3 * ((k / 5 - 2) * width + k % 5 - 2);
        add_tap<<<ceil_div(inner, threads), threads>>>(rgb, sums, filter25[k], shift, first, inner);
    }
    finish<<<ceil_div(bytes, threads), threads>>>(rgb, out, sums, divisor, width, height);
    cudaFree(sums);
}
