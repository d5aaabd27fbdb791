// family: atomics global
// style: three passes: a kernel computes levels into a buffer of ints, a second one transposes them to 4 sections, a third one adds each int to global bins
// expected bottleneck: global atomics on few addresses; before them 4 bytes of traffic per pixel, three times
#include "workbook.cuh"

__global__ void widen(const uint8_t* gray, int* levels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) levels[i] = gray[i];
}

__global__ void widen_color(const uint8_t* rgb, uint8_t* gray, int* levels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    levels[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
    gray[i] = levels[i];
}

// Element i goes to section i % 4: equal neighbours part.
__global__ void deal(const int* levels, int* sections, int n, int section) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sections[(i % 4) * section + i / 4] = levels[i];
}

__global__ void add_up(const int* sections, uint32_t* bins, int n, int section) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int s = blockIdx.y;
    if (4 * i + s < n) atomicAdd(bins + sections[s * section + i], 1u);
}

static void three_passes(const uint8_t* in, uint8_t* gray, uint32_t* bins, int n, bool color) {
    int *levels, *sections;
    const int section = ceil_div(n, 4);
    WORKBOOK_CHECK(cudaMalloc(&levels, sizeof(int) * n));
    WORKBOOK_CHECK(cudaMalloc(&sections, sizeof(int) * 4 * section));
    if (color)
        widen_color<<<ceil_div(n, 256), 256>>>(in, gray, levels, n);
    else
        widen<<<ceil_div(n, 256), 256>>>(in, levels, n);
    deal<<<ceil_div(n, 256), 256>>>(levels, sections, n, section);
    add_up<<<dim3(ceil_div(section, 256), 4), 256>>>(sections, bins, n, section);
    WORKBOOK_CHECK(cudaFree(levels));
    WORKBOOK_CHECK(cudaFree(sections));
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    three_passes(gray, nullptr, bins, width * height, false);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    three_passes(rgb, gray, bins, width * height, true);
}
