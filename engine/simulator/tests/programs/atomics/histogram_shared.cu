// about: A histogram of each block in shared memory, added to the whole at the end.
// input in: u8[1000] = i * 13 % 256
// output bins: zeroed u32[256] = sum(k, 0, 1000, in[k] == i)
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void count(const uint8_t* in, uint32_t* bins, int n) {
    __shared__ uint32_t own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    if (own[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void run(const uint8_t* in, uint32_t* bins) { count<<<2, 256>>>(in, bins, 1000); }
