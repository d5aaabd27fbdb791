// about: Transpose a matrix. Shared memory mends the stores, until its banks get in the way.
// input in: u32[65536] = i * 3
// output out: u32[65536] = in[i % 256 * 256 + i / 256]
// int size = 256
// elements: 65536
// scale: 1024
// columns: sectors, efficiency, wavefronts, shared, time
// variant direct: read along rows, write along columns
// variant tile_32: through a shared tile with rows of 32 elements
// variant tile_33: rows of 33 elements: one element of padding
// variant no_barrier: rows of 33 elements, without the barrier
// cost direct: 18.0; 22 %; 0.0; 0
// cost tile_32: 4.0; 100 %; 16.5; 4,096
// cost tile_33: 4.0; 100 %; 1.0; 4,224
// cost no_barrier: W0301
#include "workbook.cuh"

constexpr int side = 32;

// ANCHOR: direct
__global__ void direct_kernel(const uint32_t* in, uint32_t* out, int size) {
    const int x = blockIdx.x * side + threadIdx.x;
    const int y = blockIdx.y * side + threadIdx.y;
    out[x * size + y] = in[y * size + x];
}
// ANCHOR_END: direct

// ANCHOR: tile
template <int pitch, bool barrier>
__global__ void tile_kernel(const uint32_t* in, uint32_t* out, int size) {
    __shared__ uint32_t tile[side][pitch];
    const int x = blockIdx.x * side + threadIdx.x;
    const int y = blockIdx.y * side + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * size + x];
    if (barrier) __syncthreads();  // the whole tile is written before any of it is read

    const int to_x = blockIdx.y * side + threadIdx.x;
    const int to_y = blockIdx.x * side + threadIdx.y;
    out[to_y * size + to_x] = tile[threadIdx.x][threadIdx.y];
}
// ANCHOR_END: tile

void direct(const uint32_t* in, uint32_t* out, int size) {
    direct_kernel<<<dim3(size / side, size / side), dim3(side, side)>>>(in, out, size);
}

void tile_32(const uint32_t* in, uint32_t* out, int size) {
    tile_kernel<32, true><<<dim3(size / side, size / side), dim3(side, side)>>>(in, out, size);
}

void tile_33(const uint32_t* in, uint32_t* out, int size) {
    tile_kernel<33, true><<<dim3(size / side, size / side), dim3(side, side)>>>(in, out, size);
}

void no_barrier(const uint32_t* in, uint32_t* out, int size) {
    tile_kernel<33, false><<<dim3(size / side, size / side), dim3(side, side)>>>(in, out, size);
}
