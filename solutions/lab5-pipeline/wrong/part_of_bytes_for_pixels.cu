// expect: mismatch pipeline
// fault: a part of the image is copied from as many bytes as it has pixels before it.
#include "workbook.cuh"
constexpr int levels = 256;
struct Range { int low, high; };
__global__ void gray_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                            int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
    }
}
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[levels];
    for (int v = threadIdx.x; v < levels; v += blockDim.x) counts[v] = 0;
    __syncthreads();
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += stride) {
        atomicAdd(&counts[gray[i]], 1u);
    }
    __syncthreads();
    for (int v = threadIdx.x; v < levels; v += blockDim.x) atomicAdd(&bins[v], counts[v]);
}
__global__ void range_kernel(const uint32_t* __restrict__ bins, Range* __restrict__ range,
                             int pixels) {
    __shared__ int low, high;
    const int v = threadIdx.x;
    if (v == 0) {
        low = levels - 1;
        high = 0;
    }
    __syncthreads();
    if (bins[v] >= ceil_div(pixels, 1024)) {
        atomicMin(&low, v);
        atomicMax(&high, v);
    }
    __syncthreads();
    if (v == 0) {
        range->low = low;
        range->high = high;
    }
}
__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               const Range* __restrict__ range, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int low = range->low, high = range->high;
    const int v = gray[i];
    out[i] = low == high ? v : v < low ? 0 : v > high ? 255
           : (255 * (v - low) + (high - low) / 2) / (high - low);
}
__global__ void smooth_kernel(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int width,
                              int height, int top, int bottom) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = top + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= bottom) return;
    int sum = 0, count = 0;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
                sum += in[(y + dy) * width + x + dx];
                count++;
            }
        }
    }
    out[y * width + x] = (sum + count / 2) / count;
}
void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height;
    uint8_t *rgb, *gray, *stretched, *out;
    uint32_t* bins;
    Range* range;
    cudaMalloc(&rgb, 3 * pixels);
    cudaMalloc(&gray, pixels);
    cudaMalloc(&stretched, pixels);
    cudaMalloc(&out, pixels);
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    cudaMalloc(&range, sizeof(Range));
    cudaMemset(bins, 0, levels * sizeof(uint32_t));

    cudaHostRegister((void*)host_rgb, 3 * pixels, cudaHostRegisterDefault);
    cudaHostRegister(host_out, pixels, cudaHostRegisterDefault);
    constexpr int parts = 8;
    const int rows = ceil_div(height, parts);
    cudaStream_t streams[2];
    for (int s = 0; s < 2; s++) cudaStreamCreate(&streams[s]);
    cudaEvent_t counted, stretched_all;
    cudaEventCreate(&counted);
    cudaEventCreate(&stretched_all);
    for (int part = 0; part < parts; part++) {
        const int top = min(part * rows, height), bottom = min(top + rows, height);
        if (top == bottom) continue;
        const int first = top * width, n = (bottom - top) * width;
        cudaStream_t stream = streams[part % 2];
        cudaMemcpyAsync(rgb + 3 * first, host_rgb + first, 3 * n, cudaMemcpyHostToDevice, stream);
        gray_kernel<<<ceil_div(n, 256), 256, 0, stream>>>(rgb + 3 * first, gray + first, n);
        histogram_kernel<<<264, 256, 0, stream>>>(gray + first, bins, n);
    }
    cudaEventRecord(counted, streams[1]);
    cudaStreamWaitEvent(streams[0], counted, 0);
    range_kernel<<<1, levels, 0, streams[0]>>>(bins, range, pixels);
    stretch_kernel<<<ceil_div(pixels, 256), 256, 0, streams[0]>>>(gray, stretched, range, pixels);
    cudaEventRecord(stretched_all, streams[0]);
    cudaStreamWaitEvent(streams[1], stretched_all, 0);
    const dim3 block(32, 8);
    for (int part = 0; part < parts; part++) {
        const int top = min(part * rows, height), bottom = min(top + rows, height);
        if (top == bottom) continue;
        cudaStream_t stream = streams[part % 2];
        const dim3 grid(ceil_div(width, 32), ceil_div(bottom - top, 8));
        smooth_kernel<<<grid, block, 0, stream>>>(stretched, out, width, height, top, bottom);
        cudaMemcpyAsync(host_out + top * width, out + top * width, (bottom - top) * width,
                        cudaMemcpyDeviceToHost, stream);
    }
    for (int s = 0; s < 2; s++) cudaStreamSynchronize(streams[s]);
    for (int s = 0; s < 2; s++) cudaStreamDestroy(streams[s]);
    cudaEventDestroy(counted);
    cudaEventDestroy(stretched_all);
    cudaHostUnregister((void*)host_rgb);
    cudaHostUnregister(host_out);
    cudaFree(rgb);
    cudaFree(gray);
    cudaFree(stretched);
    cudaFree(out);
    cudaFree(bins);
    cudaFree(range);
}
