// family: atomics global
// style: the first thing that works: one global atomic per pixel, the table in global memory computed by 256 threads that each sum all lower levels
// expected bottleneck: global atomics on 256 addresses
#include "workbook.cuh"

__global__ void k1(const uint8_t* gray, unsigned int* bins, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) atomicAdd(&bins[gray[y * width + x]], 1);
}

__global__ void k2(unsigned int* bins, float* table, int n, int mode) {
    int v = threadIdx.x;
    if (mode == 0) {
        int lo = -1, hi = -1;
        for (int i = 0; i < 256; i++)
            if (bins[i] >= (n + 1023u) / 1024u) {
                if (lo == -1) lo = i;
                hi = i;
            }
        if (lo == hi) table[v] = v;
        else table[v] = (v - lo) * 255.0f / (hi - lo);
    } else {
        unsigned int cdf = 0, first = 0;
        for (int i = 0; i <= v; i++) {
            cdf += bins[i];
            if (first == 0) first = cdf;
        }
        if (first == n || cdf == 0) table[v] = v;
        else table[v] = (float)(cdf - first) * 255.0f / (float)(n - first);
    }
}

__global__ void k3(const uint8_t* gray, uint8_t* out, float* table, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float f = table[gray[y * width + x]] + 0.5f;
        if (f < 0.0f) f = 0.0f;
        if (f > 255.0f) f = 255.0f;
        out[y * width + x] = (uint8_t)f;
    }
}

void doit(const uint8_t* gray, uint8_t* out, int width, int height, int mode) {
    unsigned int* bins;
    float* table;
    cudaMalloc(&bins, 256 * 4);
    cudaMalloc(&table, 256 * 4);
    cudaMemset(bins, 0, 256 * 4);
    dim3 threads(16, 16);
    dim3 blocks((width + 15) / 16, (height + 15) / 16);
    k1<<<blocks, threads>>>(gray, bins, width, height);
    k2<<<1, 256>>>(bins, table, width * height, mode);
    k3<<<blocks, threads>>>(gray, out, table, width, height);
    cudaDeviceSynchronize();
    cudaFree(bins);
    cudaFree(table);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    doit(gray, out, width, height, 0);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    doit(gray, out, width, height, 1);
}
