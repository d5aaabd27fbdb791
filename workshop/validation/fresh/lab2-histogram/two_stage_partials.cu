// family: two kernels, partial histograms
// style: library style without global atomics: partials in scratch memory, then a reduction kernel
// expected bottleneck: shared atomics of the first kernel; the second kernel adds a launch
#include "workbook.cuh"

namespace hist {

constexpr int partials = 792;
constexpr int block = 320;

struct GraySource {
    const uint8_t* gray;
    __device__ int level(int i) const { return __ldg(gray + i); }
};

struct ColourSource {
    const uint8_t* rgb;
    uint8_t* gray;
    __device__ int level(int i) const {
        int r = __ldg(rgb + 3 * i), g = __ldg(rgb + 3 * i + 1), b = __ldg(rgb + 3 * i + 2);
        int v = (30 * r + 59 * g + 11 * b + 50) / 100;
        gray[i] = (uint8_t)v;
        return v;
    }
};

template <class Source>
__global__ void partial_kernel(Source source, uint32_t* partial, int pixels) {
    __shared__ uint32_t local[256];
    for (int v = threadIdx.x; v < 256; v += block) local[v] = 0;
    __syncthreads();
    const int step = partials * block;
    int i = blockIdx.x * block + threadIdx.x;
    for (; i + 3 * step < pixels; i += 4 * step) {
        int a = source.level(i), b = source.level(i + step);
        int c = source.level(i + 2 * step), d = source.level(i + 3 * step);
        atomicAdd(&local[a], 1u);
        atomicAdd(&local[b], 1u);
        atomicAdd(&local[c], 1u);
        atomicAdd(&local[d], 1u);
    }
    for (; i < pixels; i += step) atomicAdd(&local[source.level(i)], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += block) partial[v * partials + blockIdx.x] = local[v];
}

// One block per level; its partial counts lie side by side.
__global__ void reduce_kernel(const uint32_t* partial, uint32_t* bins) {
    __shared__ uint32_t sums[128];
    uint32_t sum = 0;
    for (int p = threadIdx.x; p < partials; p += 128) sum += partial[blockIdx.x * partials + p];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) bins[blockIdx.x] = sums[0];
}

template <class Source>
void run(Source source, uint32_t* bins, int pixels) {
    uint32_t* partial;
    WORKBOOK_CHECK(cudaMalloc(&partial, 256 * partials * sizeof(uint32_t)));
    partial_kernel<<<partials, block>>>(source, partial, pixels);
    reduce_kernel<<<256, 128>>>(partial, bins);
    WORKBOOK_CHECK(cudaFree(partial));
}

}  // namespace hist

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    hist::run(hist::GraySource{gray}, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    hist::run(hist::ColourSource{rgb, gray}, bins, width * height);
}
