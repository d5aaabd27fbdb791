// about: A tile transposed through shared memory, with a column of padding against bank conflicts.
// input in: i32[1024] = i
// output out: i32[1024] = i % 32 * 32 + i / 32
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void transpose(const int* in, int* out) {
    __shared__ int tile[32][33];
    for (int y = threadIdx.y; y < 32; y += 8) tile[y][threadIdx.x] = in[y * 32 + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) out[y * 32 + threadIdx.x] = tile[threadIdx.x][y];
}

void run(const int* in, int* out) { transpose<<<1, dim3(32, 8)>>>(in, out); }
