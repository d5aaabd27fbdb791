// about: The border of the tile is read and never written.
// input in: i32[32] = i
// output out: i32[32] = any
// finding: initialisation error

#include "workbook.cuh"

__global__ void blur(const int* in, int* out) {
    __shared__ int tile[34];
    const int i = threadIdx.x;
    tile[i + 1] = in[i];
    __syncthreads();
    out[i] = tile[i] + tile[i + 1] + tile[i + 2];  // <- initialisation
}

void run(const int* in, int* out) { blur<<<1, 32>>>(in, out); }
