// about: Invert an image whose number of pixels is no multiple of 16, with loads of 1, 4 and 16 bytes.
// input in: u8[65539] = i % 253
// output out: u8[65539] = 255 - in[i]
// int n = 65539
// elements: 65539
// scale: 1024
// grows: n
// columns: threads, requests, sectors, instructions, time, speed
// variant bytes: 1 byte per thread
// variant words: 4 bytes per thread, and the tail byte by byte
// variant vectors: 16 bytes per thread, and the tail byte by byte
// variant misaligned: words that begin at the second byte
// cost bytes: 65,792; 4,098; 1.0; 18.0
// cost words: 16,640; 1,026; 4.0; 5.8
// cost vectors: 4,352; 258; 15.9; 1.7
// cost misaligned: W0102
#include "workbook.cuh"

constexpr int block_size = 256;

// ANCHOR: bytes
__global__ void bytes_kernel(const uint8_t* in, uint8_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 255 - in[i];
}
// ANCHOR_END: bytes

// ANCHOR: words
// Threads 0 to words - 1 take four bytes each, the threads after them one byte of the tail each.
__global__ void words_kernel(const uint8_t* in, uint8_t* out, int n) {
    const int words = n / 4;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < words) {
        const uint32_t four = reinterpret_cast<const uint32_t*>(in)[thread];
        reinterpret_cast<uint32_t*>(out)[thread] = ~four;  // 255 - x of all four bytes at once
        return;
    }
    const int i = 4 * words + (thread - words);
    if (i < n) out[i] = 255 - in[i];
}
// ANCHOR_END: words

// ANCHOR: vectors
__global__ void vectors_kernel(const uint8_t* in, uint8_t* out, int n) {
    const int vectors = n / 16;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < vectors) {
        const uint4 x = reinterpret_cast<const uint4*>(in)[thread];
        reinterpret_cast<uint4*>(out)[thread] = make_uint4(~x.x, ~x.y, ~x.z, ~x.w);
        return;
    }
    const int i = 16 * vectors + (thread - vectors);
    if (i < n) out[i] = 255 - in[i];
}
// ANCHOR_END: vectors

// ANCHOR: misaligned
__global__ void misaligned_kernel(const uint8_t* in, uint8_t* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= n / 4) return;
    const uint32_t four = reinterpret_cast<const uint32_t*>(in + 1)[thread];
    reinterpret_cast<uint32_t*>(out + 1)[thread] = ~four;
}
// ANCHOR_END: misaligned

void bytes(const uint8_t* in, uint8_t* out, int n) {
    bytes_kernel<<<ceil_div(n, block_size), block_size>>>(in, out, n);
}

void words(const uint8_t* in, uint8_t* out, int n) {
    words_kernel<<<ceil_div(n / 4 + n % 4, block_size), block_size>>>(in, out, n);
}

void vectors(const uint8_t* in, uint8_t* out, int n) {
    vectors_kernel<<<ceil_div(n / 16 + n % 16, block_size), block_size>>>(in, out, n);
}

void misaligned(const uint8_t* in, uint8_t* out, int n) {
    misaligned_kernel<<<ceil_div(n / 4, block_size), block_size>>>(in, out, n);
}
