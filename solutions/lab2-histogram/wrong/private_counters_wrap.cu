// expect: mismatch histogram
// tasks: histogram
// fault: a thread counts in bytes, and adds them up only after 512 pixels.
#include "workbook.cuh"

// Each thread keeps byte counters of its own for one level in eight.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int first = 512 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int part = 0; part < 256; part += 8) {
        uint8_t counts[8] = {};
        for (int i = first; i < min(first + 512, pixels); ++i)
            for (int k = 0; k < 8; ++k) counts[k] += gray[i] == part + k;
        for (int k = 0; k < 8; ++k)
            if (counts[k] > 0) atomicAdd(&bins[part + k], static_cast<uint32_t>(counts[k]));
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 512 * 64), 64>>>(gray, bins, pixels);
}
