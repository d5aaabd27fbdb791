// about: float4 through shared memory, read back by components.
// output out: f32[128] = i / 4 + i % 4 * 0.25
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(float* out) {
    __shared__ float4 tile[32];
    const float x = threadIdx.x;
    tile[threadIdx.x] = make_float4(x, x + 0.25f, x + 0.5f, x + 0.75f);
    __syncthreads();
    const float* flat = (const float*)tile;
    for (int k = threadIdx.x; k < 128; k += 32) out[k] = flat[k];
}

void run(float* out) { kernel<<<1, 32>>>(out); }
