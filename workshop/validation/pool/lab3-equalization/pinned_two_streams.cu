// family: host memory
// style: two streams count two halves into pinned host memory by asynchronous copies, the host adds them, and the table goes back from pinned memory
// expected bottleneck: the round trip between GPU and host, with its copies and waits
#include "workbook.cuh"

__global__ void half_histogram(const uint8_t* gray, uint32_t* bins, int from, int to) {
    __shared__ uint32_t h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = from + blockIdx.x * blockDim.x + threadIdx.x; i < to; i += gridDim.x * blockDim.x)
        atomicAdd(&h[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}

__global__ void half_map(const uint8_t* gray, uint8_t* out, const uint8_t* table, int from,
                         int to) {
    __shared__ uint8_t t[256];
    t[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    for (int i = from + blockIdx.x * blockDim.x + threadIdx.x; i < to; i += gridDim.x * blockDim.x)
        out[i] = t[gray[i]];
}

struct Streams {
    cudaStream_t s[2];
    uint32_t* pinned;  // two histograms, then the table
    uint32_t* device;
    Streams() {
        for (int k = 0; k < 2; k++)
            WORKBOOK_CHECK(cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking));
        WORKBOOK_CHECK(cudaHostAlloc((void**)&pinned, 3 * 1024, cudaHostAllocDefault));
        WORKBOOK_CHECK(cudaMalloc((void**)&device, 3 * 1024));
    }
    ~Streams() {
        for (int k = 0; k < 2; k++) WORKBOOK_CHECK(cudaStreamDestroy(s[k]));
        WORKBOOK_CHECK(cudaFreeHost(pinned));
        WORKBOOK_CHECK(cudaFree(device));
    }
};

template <class Rule>
void halves(const uint8_t* gray, uint8_t* out, int n, Rule rule) {
    Streams work;
    for (int k = 0; k < 2; k++) {
        uint32_t* mine = work.device + 256 * k;
        WORKBOOK_CHECK(cudaMemsetAsync(mine, 0, 1024, work.s[k]));
        half_histogram<<<300, 256, 0, work.s[k]>>>(gray, mine, k == 0 ? 0 : n / 2,
                                                   k == 0 ? n / 2 : n);
        WORKBOOK_CHECK(cudaMemcpyAsync(work.pinned + 256 * k, mine, 1024, cudaMemcpyDeviceToHost,
                                       work.s[k]));
    }
    for (int k = 0; k < 2; k++) WORKBOOK_CHECK(cudaStreamSynchronize(work.s[k]));
    uint32_t counts[256];
    for (int v = 0; v < 256; v++) counts[v] = work.pinned[v] + work.pinned[256 + v];
    uint8_t* table = (uint8_t*)(work.pinned + 512);
    rule(counts, table);
    uint8_t* device_table = (uint8_t*)(work.device + 512);
    WORKBOOK_CHECK(cudaMemcpyAsync(device_table, table, 256, cudaMemcpyHostToDevice, work.s[0]));
    cudaEvent_t ready;
    WORKBOOK_CHECK(cudaEventCreate(&ready));
    WORKBOOK_CHECK(cudaEventRecord(ready, work.s[0]));
    WORKBOOK_CHECK(cudaStreamWaitEvent(work.s[1], ready, 0));
    for (int k = 0; k < 2; k++)
        half_map<<<300, 256, 0, work.s[k]>>>(gray, out, device_table, k == 0 ? 0 : n / 2,
                                             k == 0 ? n / 2 : n);
    for (int k = 0; k < 2; k++) WORKBOOK_CHECK(cudaStreamSynchronize(work.s[k]));
    WORKBOOK_CHECK(cudaEventDestroy(ready));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    halves(gray, out, n, [n](const uint32_t* counts, uint8_t* table) {
        int low = 255, high = 0;
        for (int v = 0; v < 256; v++)
            if (counts[v] >= (uint32_t)ceil_div(n, 1024)) {
                low = min(low, v);
                high = max(high, v);
            }
        for (int v = 0; v < 256; v++)
            table[v] = low == high ? v : min(255,
                                             (int)(max(0, v - low) * 255.0f / (high - low) + 0.5f));
    });
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    halves(gray, out, n, [n](const uint32_t* counts, uint8_t* table) {
        long long cdf = 0, least = 0;
        for (int v = 0; v < 256; v++) {
            cdf += counts[v];
            if (least == 0) least = cdf;
            table[v] = n == least || cdf == 0 ? v
                : (uint8_t)(((cdf - least) * 510 + (n - least)) / (2 * (n - least)));
        }
    });
}
