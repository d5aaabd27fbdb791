// family: integer division
// style: no table at all: counts, sums and then a 64-bit division for every pixel, with x and y from the linear index
// expected bottleneck: 64-bit integer division, one per pixel
#include "workbook.cuh"

__global__ void pass1(const uint8_t* gray, uint32_t* bins, int width, int height, int chunk) {
    __shared__ uint32_t h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < chunk; k++) {
        const int linear = (blockIdx.x * chunk + k) * blockDim.x + threadIdx.x;
        const int y = linear / width, x = linear % width;
        if (y < height) atomicAdd(&h[gray[y * width + x]], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}

// sums[0..256]: running sums; sums[256]: least; sums[257], sums[258]: low and high.
__global__ void pass2(const uint32_t* bins, uint32_t* sums, int n) {
    if (threadIdx.x != 0) return;
    uint32_t sum = 0, least = 0, low = 256, high = 0;
    for (uint32_t v = 0; v < 256; v++) {
        sum += bins[v];
        sums[v] = sum;
        if (least == 0 && sum > 0) least = sum;
        if (bins[v] >= (uint32_t)((n + 1023) / 1024)) {
            if (low == 256) low = v;
            high = v;
        }
    }
    sums[256] = least;
    sums[257] = low;
    sums[258] = high;
}

__global__ void pass3(const uint8_t* gray, uint8_t* out, const uint32_t* sums, int width,
                      int height, int task) {
    const int linear = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = linear / width, x = linear % width;
    if (y >= height) return;
    const long long v = gray[y * width + x];
    long long above, range;
    if (task == 0) {
        above = v - sums[257];
        range = (long long)sums[258] - sums[257];
    } else {
        above = (long long)sums[v] - sums[256];
        range = (long long)width * height - sums[256];
    }
    long long result = v;
    if (range != 0) result = (above * 255 * 2 + range) / (2 * range);
    if (range != 0 && above < 0) result = 0;
    out[y * width + x] = (uint8_t)(result > 255 ? 255 : result);
}

static void three(const uint8_t* gray, uint8_t* out, int width, int height, int task) {
    const int n = width * height;
    uint32_t* memory;
    WORKBOOK_CHECK(cudaMalloc(&memory, 515 * 4));
    WORKBOOK_CHECK(cudaMemset(memory, 0, 515 * 4));
    pass1<<<ceil_div(n, 256 * 32), 256>>>(gray, memory, width, height, 32);
    pass2<<<1, 32>>>(memory, memory + 256, n);
    pass3<<<ceil_div(n, 256), 256>>>(gray, out, memory + 256, width, height, task);
    WORKBOOK_CHECK(cudaFree(memory));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    three(gray, out, width, height, 0);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    three(gray, out, width, height, 1);
}
