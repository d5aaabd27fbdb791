// family: host memory
// style: unified memory: kernels write partial histograms of bands to managed memory, the host folds them between two launches
// expected bottleneck: pages on their way between host and GPU; the launches that wait for the host
#include "workbook.cuh"

constexpr int bands = 32;

template <bool color>
__global__ void band_histogram(const uint8_t* in, uint8_t* gray, uint32_t* partials, int first,
                               int last) {
    __shared__ uint32_t local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int p = first + blockIdx.x * 256 + threadIdx.x; p < last; p += bands * 256) {
        int v;
        if (color) {
            v = (30 * in[3 * p] + 59 * in[3 * p + 1] + 11 * in[3 * p + 2] + 50) / 100;
            gray[p] = v;
        } else {
            v = in[p];
        }
        atomicAdd(&local[v], 1u);
    }
    __syncthreads();
    partials[blockIdx.x * 256 + threadIdx.x] = local[threadIdx.x];
}

template <bool color>
void in_halves(const uint8_t* in, uint8_t* gray, uint32_t* bins, int n) {
    uint32_t *partials, *sums;
    WORKBOOK_CHECK(cudaMallocManaged(&partials, bands * 256 * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMallocManaged(&sums, 256 * sizeof(uint32_t)));
    for (int v = 0; v < 256; v++) sums[v] = 0;
    for (int half = 0; half < 2; half++) {
        band_histogram<color><<<bands, 256>>>(in, gray, partials, half == 0 ? 0 : n / 2,
                                              half == 0 ? n / 2 : n);
        WORKBOOK_CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < bands * 256; i++) sums[i % 256] += partials[i];
    }
    WORKBOOK_CHECK(cudaMemcpy(bins, sums, 256 * sizeof(uint32_t), cudaMemcpyDefault));
    WORKBOOK_CHECK(cudaFree(partials));
    WORKBOOK_CHECK(cudaFree(sums));
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    in_halves<false>(gray, nullptr, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    in_halves<true>(rgb, gray, bins, width * height);
}
