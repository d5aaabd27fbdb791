// about: A table built by the host function and copied to the GPU.
// input in: u8[64] = i * 4
// output out: u8[64] = 255 - in[i] / 2
// finding: none

#include "workbook.cuh"

__global__ void apply(const uint8_t* in, const uint8_t* table, uint8_t* out) {
    out[threadIdx.x] = table[in[threadIdx.x]];
}

void run(const uint8_t* in, uint8_t* out) {
    uint8_t host[256];
    for (int v = 0; v < 256; ++v) host[v] = 255 - v / 2;
    uint8_t* table = nullptr;
    cudaMalloc(&table, 256);
    cudaMemcpy(table, host, 256, cudaMemcpyHostToDevice);
    apply<<<1, 64>>>(in, table, out);
    cudaFree(table);
}
