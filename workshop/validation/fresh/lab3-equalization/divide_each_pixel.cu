// family: no table
// style: bad on purpose: every pixel looks up its cdf in global memory and divides in double precision
// expected bottleneck: double-precision divisions in the second pass
#include "workbook.cuh"

struct Summary {
    uint32_t cdf[256];
    uint32_t smallest;
    int low, high;
};

__global__ void count_kernel(const uint8_t* gray, uint32_t* bins, int width, int height) {
    __shared__ uint32_t counts[256];
    int t = threadIdx.y * 32 + threadIdx.x;
    counts[t] = 0;
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        int y = blockIdx.y * 64 + k * 8 + threadIdx.y;
        if (x < width && y < height) atomicAdd(&counts[gray[y * width + x]], 1u);
    }
    __syncthreads();
    if (counts[t]) atomicAdd(&bins[t], counts[t]);
}

__global__ void stretch_pixels(const uint8_t* gray, uint8_t* out, const Summary* s, int width,
                               int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    int v = gray[y * width + x];
    double level = v;
    if (s->low != s->high) {
        level = (v - s->low) * 255.0 / (double)(s->high - s->low);
        if (level < 0) level = 0;
        if (level > 255) level = 255;
    }
    out[y * width + x] = (uint8_t)(level + 0.5);
}

__global__ void equalize_pixels(const uint8_t* gray, uint8_t* out, const Summary* s, int width,
                                int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    int v = gray[y * width + x];
    uint32_t pixels = width * height;
    double level = v;
    if (s->smallest != pixels)
        level = (double)(s->cdf[v] - s->smallest) * 255.0 / (double)(pixels - s->smallest);
    out[y * width + x] = (uint8_t)(level + 0.5);
}

static Summary* summarize(const uint8_t* gray, int width, int height) {
    uint32_t* bins;
    cudaMalloc(&bins, 1024);
    cudaMemset(bins, 0, 1024);
    count_kernel<<<dim3(ceil_div(width, 32), ceil_div(height, 64)), dim3(32, 8)>>>(gray, bins, width,
                                                                                height);
    Summary summary;
    cudaMemcpy(summary.cdf, bins, 1024, cudaMemcpyDeviceToHost);
    cudaFree(bins);
    uint32_t enough = (width * height + 1023) / 1024;
    summary.low = -1;
    summary.high = 0;
    summary.smallest = 0;
    uint32_t sum = 0;
    for (int v = 0; v < 256; v++) {
        uint32_t n = summary.cdf[v];
        if (n >= enough) {
            if (summary.low < 0) summary.low = v;
            summary.high = v;
        }
        sum += n;
        if (summary.smallest == 0) summary.smallest = n;
        summary.cdf[v] = sum;
    }
    Summary* on_gpu;
    cudaMalloc(&on_gpu, sizeof(Summary));
    cudaMemcpy(on_gpu, &summary, sizeof(Summary), cudaMemcpyHostToDevice);
    return on_gpu;
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    Summary* s = summarize(gray, width, height);
    dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    stretch_pixels<<<grid, dim3(32, 8)>>>(gray, out, s, width, height);
    cudaFree(s);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    Summary* s = summarize(gray, width, height);
    dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    equalize_pixels<<<grid, dim3(32, 8)>>>(gray, out, s, width, height);
    cudaFree(s);
}
