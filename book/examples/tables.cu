// about: Map each pixel through a table of 256 entries that lies in global, constant or shared memory.
// input in: u8[65536] = i * 167 % 256
// output out: u8[65536] = in[i] * in[i] / 255
// int n = 65536
// elements: 65536
// scale: 1024
// grows: n
// columns: sectors, shared requests, wavefronts, time, limit
// variant global: the table in global memory
// variant constant: the table in constant memory
// variant shared: each block copies the table to shared memory
// cost global: 8.9; 0; 0.0
// cost constant: 16.0; 0; 0.0
// cost shared: 11.0; 2,176; 1.9
#include "workbook.cuh"

constexpr int block_size = 256;
constexpr int levels = 256;

__device__ uint8_t global_table[levels];
__constant__ uint8_t constant_table[levels];

__device__ uint32_t byte_of(uint32_t word, int index) { return word >> (8 * index) & 0xff; }

// ANCHOR: kernels
// Maps sixteen pixels through a table in any memory.
__device__ void map(const uint8_t* table, const uint4* in, uint4* out, int vectors) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i >= vectors) return;
    const uint4 x = in[i];
    const uint32_t words[4] = {x.x, x.y, x.z, x.w};
    uint32_t mapped[4];
#pragma unroll
    for (int w = 0; w < 4; ++w) {
        mapped[w] = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) mapped[w] |= uint32_t(table[byte_of(words[w], k)]) << (8 * k);
    }
    out[i] = make_uint4(mapped[0], mapped[1], mapped[2], mapped[3]);
}

__global__ void global_kernel(const uint4* in, uint4* out, int vectors) {
    map(global_table, in, out, vectors);
}

__global__ void constant_kernel(const uint4* in, uint4* out, int vectors) {
    map(constant_table, in, out, vectors);
}

__global__ void shared_kernel(const uint4* in, uint4* out, int vectors) {
    __shared__ uint8_t table[levels];
    table[threadIdx.x] = global_table[threadIdx.x];
    __syncthreads();  // the whole table is there before any of it is read
    map(table, in, out, vectors);
}
// ANCHOR_END: kernels

using Kernel = void(const uint4*, uint4*, int);

template <Kernel kernel>
void run(const uint8_t* in, uint8_t* out, int n) {
    uint8_t table[levels];
    for (int level = 0; level < levels; ++level) table[level] = level * level / 255;
    WORKBOOK_CHECK(cudaMemcpyToSymbol(global_table, table, sizeof(table)));
    WORKBOOK_CHECK(cudaMemcpyToSymbol(constant_table, table, sizeof(table)));
    const int vectors = n / 16;
    kernel<<<ceil_div(vectors, block_size), block_size>>>(reinterpret_cast<const uint4*>(in),
                                                          reinterpret_cast<uint4*>(out), vectors);
}

void global(const uint8_t* in, uint8_t* out, int n) { run<global_kernel>(in, out, n); }
void constant(const uint8_t* in, uint8_t* out, int n) { run<constant_kernel>(in, out, n); }
void shared(const uint8_t* in, uint8_t* out, int n) { run<shared_kernel>(in, out, n); }
