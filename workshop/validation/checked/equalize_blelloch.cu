// lab3 equalize: up-sweep and down-sweep in one block, table in shared memory, eight bytes a thread
// Limit: shared loads of bytes at random places
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

__global__ void make_table(const uint32_t* bins, uint8_t* table, int n) {
    __shared__ uint32_t s[256];
    __shared__ int first;
    int t = threadIdx.x;
    s[t] = bins[t];
    if (t == 0) first = 255;
    __syncthreads();
    if (bins[t]) atomicMin(&first, t);
    for (int d = 1; d < 256; d *= 2) {
        int k = (t + 1) * 2 * d - 1;
        if (k < 256) s[k] += s[k - d];
        __syncthreads();
    }
    for (int d = 64; d > 0; d /= 2) {
        int k = (t + 1) * 2 * d - 1;
        if (k + d < 256) s[k + d] += s[k];
        __syncthreads();
    }
    uint32_t lowest = bins[first];
    if (lowest == n)
        table[t] = t;
    else
        table[t] = t < first ? 0 : (uint8_t)((s[t] - lowest) * 255.0 / (n - lowest) + 0.5);
}

__global__ void map(const uint8_t* gray, uint8_t* out, const uint8_t* table, int n) {
    __shared__ uint8_t lut[256];
    lut[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    int i = 8 * (blockIdx.x * 256 + threadIdx.x);
    if (i + 8 <= n) {
        uint2 v = *reinterpret_cast<const uint2*>(gray + i);
        uint2 r = make_uint2(0, 0);
        for (int s = 0; s < 32; s += 8) {
            r.x |= lut[v.x >> s & 255] << s;
            r.y |= lut[v.y >> s & 255] << s;
        }
        *reinterpret_cast<uint2*>(out + i) = r;
    } else {
        for (; i < n; i++) out[i] = lut[gray[i]];
    }
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    int n = width * height;
    uint32_t* bins;
    uint8_t* table;
    cudaMalloc(&bins, 1024);
    cudaMalloc(&table, 256);
    cudaMemset(bins, 0, 1024);
    levels<<<1056, 256>>>(gray, bins, n);
    make_table<<<1, 256>>>(bins, table, n);
    map<<<ceil_div(n, 2048), 256>>>(gray, out, table, n);
    cudaFree(table);
    cudaFree(bins);
}
