// expect: mismatch filter_rgb
// tasks: filter_rgb
// fault: the filter is sent again only if one of its first 24 values differs from the last call.
#include "workbook.cuh"

__constant__ int filter[25];

__global__ void filter_kernel(const uint8_t* rgb, uint8_t* out, int divisor, int width,
                              int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool inner = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
    for (int c = 0; c < 3; ++c) {
        const int at = 3 * (y * width + x) + c;
        int sum = 0;
        for (int k = 0; k < 25 && inner; ++k)
            sum += filter[k] * rgb[at + 3 * ((k / 5 - 2) * width + k % 5 - 2)];
        out[at] = inner ? min(max(sum / divisor, 0), 255) : rgb[at];
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    static int kept[25];
    static bool filled = false;
    bool same = filled;
    for (int k = 0; k < 24; ++k) same = same && kept[k] == filter25[k];
    if (!same) {
        memcpy(kept, filter25, sizeof(kept));
        cudaMemcpyToSymbol(filter, kept, sizeof(kept));
        filled = true;
    }
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    filter_kernel<<<grid, dim3(32, 8)>>>(rgb, out, divisor, width, height);
}
