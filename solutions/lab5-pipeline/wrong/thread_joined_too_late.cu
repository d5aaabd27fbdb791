// expect: finding initialisation
// engine: simulator
// fault: the thread that sends half of the picture is awaited only after the kernels.
#include "workbook.cuh"
#include <thread>

constexpr int levels = 256;

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * levels + threadIdx.x; i < pixels; i += gridDim.x * levels)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void table_kernel(const uint32_t* bins, uint8_t* table, int pixels) {
    __shared__ int low, high;
    const int v = threadIdx.x;
    if (v == 0) low = levels - 1, high = 0;
    __syncthreads();
    if (bins[v] >= ceil_div(pixels, 1024)) atomicMin(&low, v), atomicMax(&high, v);
    __syncthreads();
    const int range = high - low, inside = min(max(v, low), high) - low;
    table[v] = range == 0 ? v : (255 * inside + range / 2) / range;
}

__global__ void smooth_kernel(const uint8_t* gray, const uint8_t* table, uint8_t* out, int width,
                              int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int j = max(y - 2, 0); j <= min(y + 2, height - 1); ++j)
        for (int i = max(x - 2, 0); i <= min(x + 2, width - 1); ++i, ++count)
            sum += table[gray[j * width + i]];
    out[y * width + x] = (sum + count / 2) / count;
}

void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height, half = 3 * pixels / 2;
    uint8_t *rgb, *gray, *out, *table;
    uint32_t* bins;
    cudaMalloc(&rgb, 3 * pixels);
    cudaMalloc(&gray, pixels);
    cudaMalloc(&out, pixels);
    cudaMalloc(&table, levels);
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    std::thread sender([=] { cudaMemcpy(rgb, host_rgb, half, cudaMemcpyHostToDevice); });
    cudaMemcpy(rgb + half, host_rgb + half, 3 * pixels - half, cudaMemcpyHostToDevice);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    histogram_kernel<<<min(ceil_div(pixels, levels), 512), levels>>>(gray, bins, pixels);
    table_kernel<<<1, levels>>>(bins, table, pixels);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_kernel<<<grid, dim3(32, 8)>>>(gray, table, out, width, height);
    sender.join();
    cudaMemcpy(host_out, out, pixels, cudaMemcpyDeviceToHost);
    for (void* memory : {(void*)rgb, (void*)gray, (void*)out, (void*)table, (void*)bins})
        cudaFree(memory);
}
