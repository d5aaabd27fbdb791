// lab3 equalize: the host makes the table and passes it by value, as a struct of 256 bytes
// Limit: indexed reads of a kernel argument
#include "workbook.cuh"

__global__ void levels(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n / 4; i += gridDim.x * 256) {
        uint32_t w = reinterpret_cast<const uint32_t*>(gray)[i];
        for (int s = 0; s < 32; s += 8) atomicAdd(&h[w >> s & 255], 1u);
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4) atomicAdd(&h[gray[n - 1 - threadIdx.x]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}

struct Table {
    uint8_t level[256];
};

__global__ void apply(const uint8_t* gray, uint8_t* out, int n, Table table) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = table.level[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    int n = width * height;
    uint32_t* bins;
    uint32_t counts[256];
    cudaMalloc(&bins, 1024);
    cudaMemset(bins, 0, 1024);
    levels<<<396, 256>>>(gray, bins, n);
    cudaMemcpy(counts, bins, 1024, cudaMemcpyDeviceToHost);
    Table table;
    uint32_t sum = 0, lowest = 0;
    for (int v = 0; v < 256; v++) {
        sum += counts[v];
        if (lowest == 0) lowest = sum;
        if (lowest == (uint32_t)n)
            table.level[v] = v;
        else
            table.level[v] = sum < lowest ? 0 : (uint8_t)((sum - lowest) * 255.0 / (n - lowest) + 0.5);
    }
    apply<<<1320, 256>>>(gray, out, n, table);
    cudaFree(bins);
}
