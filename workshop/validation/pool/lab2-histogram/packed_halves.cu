// family: atomics shared
// Style: two counters of 16 bits in a word of shared memory; tiles of 128 x 256, blocks of 128 x 4.
// Limit: shared atomics; neighbouring levels meet in one word.
#include "workbook.cuh"

constexpr int columns = 128, rows = 4, steps = 64;
static_assert(columns * rows * steps < 65536, "a counter of 16 bits cannot overflow in a tile");

__device__ void clear(uint32_t* pairs) {
    const int thread = threadIdx.y * columns + threadIdx.x;
    if (thread < 128) pairs[thread] = 0;
    __syncthreads();
}

__device__ void count(uint32_t* pairs, int level) {
    atomicAdd(&pairs[level / 2], level % 2 == 0 ? 1u : 65536u);
}

__device__ void add(const uint32_t* pairs, uint32_t* bins) {
    __syncthreads();
    const int thread = threadIdx.y * columns + threadIdx.x;
    if (thread >= 256) return;
    const uint32_t found = pairs[thread / 2] >> (16 * (thread % 2)) & 0xffff;
    if (found > 0) atomicAdd(&bins[thread], found);
}

__global__ void count_pairs(const uint8_t* gray, uint32_t* bins, int width, int height) {
    __shared__ uint32_t pairs[128];
    clear(pairs);
    const int x = blockIdx.x * columns + threadIdx.x;
    const int top = blockIdx.y * rows * steps;
    if (x < width)
        for (int y = top + threadIdx.y; y < min(top + rows * steps, height); y += rows)
            count(pairs, gray[y * width + x]);
    add(pairs, bins);
}

__global__ void gray_pairs(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width,
                           int height) {
    __shared__ uint32_t pairs[128];
    clear(pairs);
    const int x = blockIdx.x * columns + threadIdx.x;
    const int top = blockIdx.y * rows * steps;
    if (x < width) {
        for (int y = top + threadIdx.y; y < min(top + rows * steps, height); y += rows) {
            const uint8_t* p = rgb + 3 * (y * width + x);
            const int level = (30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100;
            gray[y * width + x] = level;
            count(pairs, level);
        }
    }
    add(pairs, bins);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const dim3 grid(ceil_div(width, columns), ceil_div(height, rows * steps));
    count_pairs<<<grid, dim3(columns, rows)>>>(gray, bins, width, height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const dim3 grid(ceil_div(width, columns), ceil_div(height, rows * steps));
    gray_pairs<<<grid, dim3(columns, rows)>>>(rgb, gray, bins, width, height);
}
