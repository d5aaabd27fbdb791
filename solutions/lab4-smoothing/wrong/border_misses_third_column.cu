// expect: mismatch filter_rgb
// tasks: filter_rgb
// fault: the border is copied as rows and columns; in a picture of three columns nothing copies the
//        third, but for its first and last rows.
#include "workbook.cuh"

__constant__ int filter[25];

__global__ void inner_kernel(const uint8_t* rgb, uint8_t* out, int divisor, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 2;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 2;
    if (x >= width - 2 || y >= height - 2) return;
    for (int channel = 0; channel < 3; ++channel) {
        int sum = 0;
        for (int i = 0; i < 25; ++i) {
            sum += filter[i] * rgb[3 * ((y + i / 5 - 2) * width + x + i % 5 - 2) + channel];
        }
        out[3 * (y * width + x) + channel] = min(max(sum / divisor, 0), 255);
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(filter, filter25, sizeof filter));
    const size_t pitch = 3 * width;
    const auto kind = cudaMemcpyDeviceToDevice;
    WORKBOOK_CHECK(cudaMemcpy(out, rgb, pitch * min(2, height), kind));
    if (height > 2) {
        const size_t last = pitch * (height - 2);
        WORKBOOK_CHECK(cudaMemcpy(out + last, rgb + last, 2 * pitch, kind));
    }
    WORKBOOK_CHECK(cudaMemcpy2D(out, pitch, rgb, pitch, 3 * min(2, width), height, kind));
    if (width > 3) {
        const size_t right = pitch - 6;
        WORKBOOK_CHECK(cudaMemcpy2D(out + right, pitch, rgb + right, pitch, 6, height, kind));
    }
    if (width > 4 && height > 4) {
        const dim3 grid(ceil_div(width - 4, 32), ceil_div(height - 4, 8));
        inner_kernel<<<grid, dim3(32, 8)>>>(rgb, out, divisor, width, height);
    }
}
