// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the sum of a warp through volatile shared memory, without __syncwarp: lanes may run ahead.
#include "workbook.cuh"

// A warp for each level.
__global__ void count(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ volatile uint32_t sums[32];
    const int lane = threadIdx.x;
    uint32_t own = 0;
    for (int i = lane; i < n; i += 32) own += gray[i] == blockIdx.x;
    sums[lane] = own;
    for (int distance = 16; distance > 0; distance /= 2) {
        if (lane < distance) sums[lane] = sums[lane] + sums[lane + distance];  // <- here
    }
    if (lane == 0) bins[blockIdx.x] = sums[0];
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    count<<<256, 32>>>(gray, bins, width * height);
}
