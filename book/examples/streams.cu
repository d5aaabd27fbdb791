// about: Invert an image that lies in host memory: copy it to the GPU, run a kernel, copy the result back.
// input in: u8[65536] = i % 255
// output out: u8[65536] = 255 - in[i]
// int n = 65536
// elements: 65536
// scale: 1024
// grows: n
// link:
// columns: link, launches, transfers, time
// variant pageable: copies of ordinary host memory, one after the other
// variant pinned: page-locked host memory
// variant two_streams: page-locked, in eight parts on two streams
// cost pageable: 131,072; 1
// cost pinned: 131,072; 1
// cost two_streams: 131,072; 8
#include "workbook.cuh"

constexpr int block_size = 256;

__global__ void invert_kernel(const uint8_t* in, uint8_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 255 - in[i];
}

// ANCHOR: pageable
void pageable(const uint8_t* in, uint8_t* out, int n) {
    uint8_t *gpu_in, *gpu_out;
    WORKBOOK_CHECK(cudaMalloc(&gpu_in, n));
    WORKBOOK_CHECK(cudaMalloc(&gpu_out, n));
    WORKBOOK_CHECK(cudaMemcpy(gpu_in, in, n, cudaMemcpyHostToDevice));
    invert_kernel<<<ceil_div(n, block_size), block_size>>>(gpu_in, gpu_out, n);
    WORKBOOK_CHECK(cudaMemcpy(out, gpu_out, n, cudaMemcpyDeviceToHost));
    WORKBOOK_CHECK(cudaFree(gpu_in));
    WORKBOOK_CHECK(cudaFree(gpu_out));
}
// ANCHOR_END: pageable

// ANCHOR: pinned
// The system cannot move page-locked memory, so the GPU copies it without the driver's help.
void pinned(const uint8_t* in, uint8_t* out, int n) {
    WORKBOOK_CHECK(cudaHostRegister(const_cast<uint8_t*>(in), n, cudaHostRegisterDefault));
    WORKBOOK_CHECK(cudaHostRegister(out, n, cudaHostRegisterDefault));
    pageable(in, out, n);
    WORKBOOK_CHECK(cudaHostUnregister(const_cast<uint8_t*>(in)));
    WORKBOOK_CHECK(cudaHostUnregister(out));
}
// ANCHOR_END: pinned

// ANCHOR: two_streams
void two_streams(const uint8_t* in, uint8_t* out, int n) {
    constexpr int parts = 8;
    WORKBOOK_CHECK(cudaHostRegister(const_cast<uint8_t*>(in), n, cudaHostRegisterDefault));
    WORKBOOK_CHECK(cudaHostRegister(out, n, cudaHostRegisterDefault));
    uint8_t *gpu_in, *gpu_out;
    WORKBOOK_CHECK(cudaMalloc(&gpu_in, n));
    WORKBOOK_CHECK(cudaMalloc(&gpu_out, n));
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) WORKBOOK_CHECK(cudaStreamCreate(&stream));

    const int size = ceil_div(n, parts);
    for (int first = 0, k = 0; first < n; first += size, ++k) {
        const int count = first + size < n ? size : n - first;
        const cudaStream_t stream = streams[k % 2];
        WORKBOOK_CHECK(
            cudaMemcpyAsync(gpu_in + first, in + first, count, cudaMemcpyHostToDevice, stream));
        invert_kernel<<<ceil_div(count, block_size), block_size, 0, stream>>>(gpu_in + first,
                                                                              gpu_out + first, count);
        WORKBOOK_CHECK(
            cudaMemcpyAsync(out + first, gpu_out + first, count, cudaMemcpyDeviceToHost, stream));
    }
    WORKBOOK_CHECK(cudaDeviceSynchronize());  // `out` is complete

    for (cudaStream_t stream : streams) WORKBOOK_CHECK(cudaStreamDestroy(stream));
    WORKBOOK_CHECK(cudaFree(gpu_in));
    WORKBOOK_CHECK(cudaFree(gpu_out));
    WORKBOOK_CHECK(cudaHostUnregister(const_cast<uint8_t*>(in)));
    WORKBOOK_CHECK(cudaHostUnregister(out));
}
// ANCHOR_END: two_streams
