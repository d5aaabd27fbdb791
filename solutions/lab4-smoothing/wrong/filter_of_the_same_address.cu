// expect: mismatch filter_rgb
// tasks: filter_rgb
// fault: the filter is copied only if its address is another one than in the last call.
#include "workbook.cuh"
__constant__ int filter[25];
__global__ void filter_kernel(const uint8_t* rgb, uint8_t* out, int divisor, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    for (int c = 0; c < 3; ++c) {
        const int i = 3 * (y * w + x) + c;
        if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) { out[i] = rgb[i]; continue; }
        int s = 0;
        for (int k = 0; k < 25; ++k) s += filter[k] * rgb[i + 3 * ((k / 5 - 2) * w + k % 5 - 2)];
        out[i] = min(max(s / divisor, 0), 255);
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    static const int* sent = nullptr;
    if (sent != filter25) { cudaMemcpyToSymbol(filter, filter25, sizeof filter); sent = filter25; }
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    filter_kernel<<<grid, dim3(32, 8)>>>(rgb, out, divisor, width, height);
}
