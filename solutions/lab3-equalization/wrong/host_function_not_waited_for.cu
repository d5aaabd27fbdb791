// expect: finding race
// tasks: equalize
// engine: simulator
// fault: a function in one stream makes the table; the other stream copies it without waiting.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ table, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

struct Job {
    uint32_t counts[256];
    uint8_t table[256];
    int pixels;
};

// A function in a stream: makes the table from the counts.
void make_table(void* data) {
    Job* job = static_cast<Job*>(data);
    int lowest = 0;
    while (lowest < 255 && job->counts[lowest] == 0) ++lowest;
    const uint32_t others = job->pixels - job->counts[lowest];
    uint64_t above = 0;
    for (int v = 0; v < 256; ++v) {
        if (v > lowest) above += job->counts[v];
        job->table[v] = others == 0 ? v : (255 * above + others / 2) / others;
    }
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    Job* job;
    uint32_t* bins;
    uint8_t* table;
    cudaStream_t counting, mapping;
    WORKBOOK_CHECK(cudaMallocHost(&job, sizeof(Job)));
    WORKBOOK_CHECK(cudaMalloc(&bins, sizeof(job->counts)));
    WORKBOOK_CHECK(cudaMalloc(&table, sizeof(job->table)));
    WORKBOOK_CHECK(cudaStreamCreateWithFlags(&counting, cudaStreamNonBlocking));
    WORKBOOK_CHECK(cudaStreamCreateWithFlags(&mapping, cudaStreamNonBlocking));
    job->pixels = pixels;
    WORKBOOK_CHECK(cudaMemsetAsync(bins, 0, sizeof(job->counts), counting));
    histogram_kernel<<<ceil_div(pixels, 256), 256, 0, counting>>>(gray, bins, pixels);
    WORKBOOK_CHECK(cudaMemcpyAsync(job->counts, bins, sizeof(job->counts), cudaMemcpyDeviceToHost,
                                   counting));
    WORKBOOK_CHECK(cudaLaunchHostFunc(counting, make_table, job));
    WORKBOOK_CHECK(cudaMemcpyAsync(table, job->table, sizeof(job->table), cudaMemcpyHostToDevice,
                                   mapping));
    map_kernel<<<ceil_div(pixels, 256), 256, 0, mapping>>>(gray, out, table, pixels);
    WORKBOOK_CHECK(cudaStreamSynchronize(mapping));
    WORKBOOK_CHECK(cudaStreamSynchronize(counting));
    WORKBOOK_CHECK(cudaStreamDestroy(counting));
    WORKBOOK_CHECK(cudaStreamDestroy(mapping));
    WORKBOOK_CHECK(cudaFreeHost(job));
    WORKBOOK_CHECK(cudaFree(bins));
    WORKBOOK_CHECK(cudaFree(table));
}
