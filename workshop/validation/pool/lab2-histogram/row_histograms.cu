// family: partial histograms
// Style: a block a row, each row's histogram is kept in a temporary table, its columns are added.
// Limit: a kilobyte of table for every row, written and read again; one barrier pair a row.
#include "workbook.cuh"

constexpr int rows_a_block = 64;

__global__ void count_rows(const uint8_t* gray, uint32_t* table, int width) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const uint8_t* row = gray + static_cast<size_t>(blockIdx.x) * width;
    for (int x = threadIdx.x; x < width; x += 256) atomicInc(&counts[row[x]], 0xffffffff);
    __syncthreads();
    table[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}

__global__ void gray_rows(const uint8_t* rgb, uint8_t* gray, int width) {
    const size_t row = static_cast<size_t>(blockIdx.x) * width;
    for (int x = threadIdx.x; x < width; x += 256) {
        const uint8_t* p = rgb + 3 * (row + x);
        gray[row + x] = (30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100;
    }
}

__global__ void add_rows(const uint32_t* table, uint32_t* bins, int height) {
    const int first = blockIdx.x * rows_a_block;
    const int end = min(first + rows_a_block, height);
    uint32_t sum = 0;
    for (int row = first; row < end; ++row) sum += table[row * 256 + threadIdx.x];
    if (sum > 0) atomicAdd(&bins[threadIdx.x], sum);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    uint32_t* table;
    cudaMalloc(&table, height * 256 * sizeof(uint32_t));
    cudaMemset(table, 0, height * 256 * sizeof(uint32_t));
    count_rows<<<height, 256>>>(gray, table, width);
    add_rows<<<ceil_div(height, rows_a_block), 256>>>(table, bins, height);
    cudaFree(table);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    gray_rows<<<height, 256>>>(rgb, gray, width);
    histogram(gray, bins, width, height);
}
