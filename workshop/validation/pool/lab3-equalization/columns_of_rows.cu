// family: columns
// style: a Fortran programmer: the first thread index runs over rows, in all three kernels; the table is computed by one thread
// expected bottleneck: memory sectors: each lane reads and writes a different row
#include "workbook.cuh"

__global__ void count_columns(const uint8_t* gray, uint32_t* bins, int width, int height) {
    __shared__ uint32_t local[256];
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    local[me] = 0;
    __syncthreads();
    const int y = blockIdx.y * blockDim.x + threadIdx.x;
    const int x0 = blockIdx.x * 128;
    if (y < height)
        for (int x = x0 + threadIdx.y; x < min(x0 + 128, width); x += blockDim.y)
            atomicAdd(&local[gray[y * width + x]], 1u);
    __syncthreads();
    atomicAdd(&bins[me], local[me]);
}

__global__ void one_thread(const uint32_t* bins, uint8_t* table, int n, bool stretch) {
    if (stretch) {
        const uint32_t enough = (n + 1023) / 1024;
        int low = 0, high = 255;
        while (bins[low] < enough) low++;
        while (bins[high] < enough) high--;
        for (int v = 0; v < 256; v++) {
            if (low == high) table[v] = v;
            else if (v < low) table[v] = 0;
            else if (v > high) table[v] = 255;
            else table[v] = (uint8_t)(((v - low) * 255 + (high - low) / 2) / (high - low));
        }
        return;
    }
    uint32_t sum = 0, least = 0;
    for (int v = 0; v < 256; v++) {
        sum += bins[v];
        if (least == 0) least = bins[v];
        const uint32_t range = n - least;
        table[v] = range == 0 || sum == 0 ? v
            : (uint8_t)(((unsigned long long)(sum - least) * 255 + range / 2) / range);
    }
}

__global__ void map_columns(const uint8_t* gray, uint8_t* out, const uint8_t* table, int width,
                            int height) {
    const int y = blockIdx.y * blockDim.x + threadIdx.x, x0 = blockIdx.x * 128;
    if (y < height)
        for (int x = x0 + threadIdx.y; x < min(x0 + 128, width); x += blockDim.y)
            out[y * width + x] = table[gray[y * width + x]];
}

static void all_steps(const uint8_t* gray, uint8_t* out, int width, int height, bool stretch) {
    uint32_t* bins;
    uint8_t* table;
    WORKBOOK_CHECK(cudaMalloc(&bins, 1024));
    WORKBOOK_CHECK(cudaMalloc(&table, 256));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 1024));
    const dim3 block(32, 8), grid(ceil_div(width, 128), ceil_div(height, 32));
    count_columns<<<grid, block>>>(gray, bins, width, height);
    one_thread<<<1, 1>>>(bins, table, width * height, stretch);
    map_columns<<<grid, block>>>(gray, out, table, width, height);
    WORKBOOK_CHECK(cudaFree(bins));
    WORKBOOK_CHECK(cudaFree(table));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    all_steps(gray, out, width, height, true);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    all_steps(gray, out, width, height, false);
}
