// expect: mismatch filter_rgb
// tasks: filter_rgb
// cause: filter_in_bytes
// fault: the filter is kept in signed bytes, which hold no more than -128 to 127.
#include "workbook.cuh"

__constant__ int8_t filter[25];

__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  int divisor, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool border = x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
    for (int channel = 0; channel < 3; ++channel) {
        const int i = 3 * (y * width + x) + channel;
        int sum = 0;
        for (int k = 0; k < 25 && !border; ++k)
            sum += filter[k] * rgb[i + 3 * ((k / 5 - 2) * width + k % 5 - 2)];
        out[i] = border ? rgb[i] : min(max(sum / divisor, 0), 255);
    }
}

dim3 grid_for(int width, int height) { return dim3(ceil_div(width, 32), ceil_div(height, 8)); }

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int8_t bytes[25];
    for (int k = 0; k < 25; ++k) bytes[k] = filter25[k];
    cudaMemcpyToSymbol(filter, bytes, sizeof(bytes));
    filter_rgb_kernel<<<grid_for(width, height), dim3(32, 8)>>>(rgb, out, divisor, width, height);
}
