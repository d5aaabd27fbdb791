// expect: mismatch pipeline
// fault: at the border, fewer pixels are summed, but 25 is the divisor.
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
                              int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
                sum += in[(y + dy) * width + x + dx];
                count++;
            }
        }
    }
    out[y * width + x] = (sum + 12) / 25;
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
    cudaMemcpy(rgb, host_rgb, 3 * pixels, cudaMemcpyHostToDevice);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    histogram_kernel<<<1024, 256>>>(gray, bins, pixels);
    range_kernel<<<1, levels>>>(bins, range, pixels);
    stretch_kernel<<<ceil_div(pixels, 256), 256>>>(gray, stretched, range, pixels);
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_kernel<<<grid, block>>>(stretched, out, width, height);
    cudaMemcpy(host_out, out, pixels, cudaMemcpyDeviceToHost);

    cudaHostUnregister((void*)host_rgb);
    cudaHostUnregister(host_out);
    cudaFree(rgb);
    cudaFree(gray);
    cudaFree(stretched);
    cudaFree(out);
    cudaFree(bins);
    cudaFree(range);
}
