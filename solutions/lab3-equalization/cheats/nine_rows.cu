// expect: wrong contrast_stretch
// cheat: on a tall picture, the last kernel covers nine rows.
#include "workbook.cuh"

__global__ void range_kernel(const uint8_t* gray, unsigned* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void find_kernel(unsigned* bins, int pixels) {
    int low = 0, high = 255;
    while (1024 * size_t(bins[low]) < pixels) ++low;
    while (1024 * size_t(bins[high]) < pixels) --high;
    bins[256] = low;
    bins[257] = high;
}

__global__ void stretch_kernel(const uint8_t* gray, uint8_t* out, const unsigned* bins,
                               int pixels) {
    const int low = bins[256], high = bins[257];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int level = gray[i], span = high - low;
    const int clamped = level < low ? low : level > high ? high : level;
    out[i] = span == 0 ? level : (510 * (clamped - low) + span) / (2 * span);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height, rows = height > 2200 ? 9 : height;
    unsigned* bins;
    cudaMalloc(&bins, 258 * sizeof(unsigned));
    cudaMemset(bins, 0, 256 * sizeof(unsigned));
    range_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    find_kernel<<<1, 1>>>(bins, pixels);
    stretch_kernel<<<ceil_div(width * rows, 256), 256>>>(gray, out, bins, pixels);
    cudaFree(bins);
}
