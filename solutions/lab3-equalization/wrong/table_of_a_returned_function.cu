// expect: finding initialisation
// tasks: equalize
// engine: simulator
// fault: the table is a local variable of a function that has returned when it is copied.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void map_kernel(const uint8_t* gray, uint8_t* out, const uint8_t* table, int pixels) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

__attribute__((noinline)) uint8_t* table_of(const uint32_t* counts, uint32_t pixels) {
    uint8_t table[256];
    uint8_t* result = table;
    uint32_t sum = 0, least = 0;
    for (int v = 0; v < 256; ++v) {
        sum += counts[v];
        if (least == 0) least = sum;
        table[v] = least == pixels ? v : uint8_t(255.0 * (sum - least) / (pixels - least) + 0.5);
    }
    return result;
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    uint8_t* table;
    uint32_t counts[256];
    WORKBOOK_CHECK(cudaMalloc(&bins, sizeof(counts)));
    WORKBOOK_CHECK(cudaMalloc(&table, 256));
    WORKBOOK_CHECK(cudaMemset(bins, 0, sizeof(counts)));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    WORKBOOK_CHECK(cudaMemcpy(counts, bins, sizeof(counts), cudaMemcpyDeviceToHost));
    WORKBOOK_CHECK(cudaMemcpy(table, table_of(counts, pixels), 256, cudaMemcpyHostToDevice));
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    WORKBOOK_CHECK(cudaFree(bins));
    WORKBOOK_CHECK(cudaFree(table));
}
