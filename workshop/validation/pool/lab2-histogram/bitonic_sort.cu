// family: sorting
// Style: each block sorts 512 pixels (bitonic network) and counts the runs of the sorted ones.
// Limit: 45 steps with a barrier each and strided shared memory, two bytes an element.
#include "workbook.cuh"

constexpr int elements = 512;
constexpr int threads = elements / 2;
constexpr uint16_t none = 256;  // after all levels: the places past the last pixel

__device__ void sort(uint16_t* keys) {
    for (int size = 2; size <= elements; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            const int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            const int high = low + stride;
            const bool up = (low & size) == 0;
            const uint16_t a = keys[low], b = keys[high];
            if ((a > b) == up) {
                keys[low] = b;
                keys[high] = a;
            }
        }
    }
    __syncthreads();
}

// A run adds the place after its end and takes away that of its beginning: its length.
__device__ void add_runs(const uint16_t* keys, uint32_t* bins) {
    for (int i = threadIdx.x; i < elements; i += threads) {
        const uint16_t key = keys[i];
        if (key == none) continue;
        if (i == 0 || keys[i - 1] != key) atomicSub(&bins[key], i);
        if (i == elements - 1 || keys[i + 1] != key) atomicAdd(&bins[key], i + 1);
    }
}

__global__ void sort_and_count(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint16_t keys[elements];
    for (int k = threadIdx.x; k < elements; k += threads) {
        const int i = blockIdx.x * elements + k;
        keys[k] = i < n ? gray[i] : none;
    }
    sort(keys);
    add_runs(keys, bins);
}

__global__ void gray_sort_and_count(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint16_t keys[elements];
    for (int k = threadIdx.x; k < elements; k += threads) {
        const int i = blockIdx.x * elements + k;
        keys[k] = none;
        if (i < n) {
            const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
            keys[k] = (30 * r + 59 * g + 11 * b + 50) / 100;
            gray[i] = keys[k];
        }
    }
    sort(keys);
    add_runs(keys, bins);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    sort_and_count<<<ceil_div(n, elements), threads>>>(gray, bins, n);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    gray_sort_and_count<<<ceil_div(n, elements), threads>>>(rgb, gray, bins, n);
}
