// about: Threads that store different bytes of one word do not meet.
// output out: u8[128] = i
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void fill(uint8_t* out) {
    __shared__ uint8_t tile[128];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

void run(uint8_t* out) { fill<<<1, 128>>>(out); }
