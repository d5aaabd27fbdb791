// about: Three kernels add 1 to every element. They differ only in which thread takes which elements.
// input in: u32[65536] = i * 3
// output out: u32[65536] = in[i] + 1
// int n = 65536
// elements: 65536
// scale: 1024
// grows: n
// columns: requests, sectors, efficiency, time, speed
// variant one_each: thread i takes element i
// variant chunks: a thread takes 32 elements that follow each other
// variant strided: a thread takes 32 elements, each a whole block apart
// cost one_each: 4,096; 4.0; 100 %
// cost chunks: 4,096; 32.0; 12 %
// cost strided: 4,096; 4.0; 100 %
#include "workbook.cuh"

constexpr int block_size = 256;
constexpr int per_thread = 32;

// ANCHOR: one_each
__global__ void one_each_kernel(const uint32_t* in, uint32_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + 1;
}
// ANCHOR_END: one_each

// ANCHOR: chunks
__global__ void chunks_kernel(const uint32_t* in, uint32_t* out, int n) {
    const int first = per_thread * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = 0; k < per_thread; ++k) {
        const int i = first + k;
        if (i < n) out[i] = in[i] + 1;
    }
}
// ANCHOR_END: chunks

// ANCHOR: strided
__global__ void strided_kernel(const uint32_t* in, uint32_t* out, int n) {
    const int first = per_thread * blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < per_thread; ++k) {
        const int i = first + k * blockDim.x;
        if (i < n) out[i] = in[i] + 1;
    }
}
// ANCHOR_END: strided

void one_each(const uint32_t* in, uint32_t* out, int n) {
    one_each_kernel<<<ceil_div(n, block_size), block_size>>>(in, out, n);
}

void chunks(const uint32_t* in, uint32_t* out, int n) {
    chunks_kernel<<<ceil_div(n, per_thread * block_size), block_size>>>(in, out, n);
}

void strided(const uint32_t* in, uint32_t* out, int n) {
    strided_kernel<<<ceil_div(n, per_thread * block_size), block_size>>>(in, out, n);
}
