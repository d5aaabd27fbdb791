// why: a layer of blocks per row of pixels (W0502 warns: a grid has at most 65,535 of them).
// tasks: sobel
#include "workbook.cuh"

__global__ void sobel_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                             int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.z;
    if (x >= width) return;
    const int left = max(x - 1, 0), right = min(x + 1, width - 1);
    const uint8_t* above = gray + max(y - 1, 0) * width;
    const uint8_t* row = gray + y * width;
    const uint8_t* below = gray + min(y + 1, height - 1) * width;
    const int gx = above[right] + 2 * row[right] + below[right] - above[left] - 2 * row[left] -
                   below[left];
    const int gy = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] -
                   above[right];
    out[y * width + x] = min(abs(gx) + abs(gy), 255);
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 256), 1, height);
    sobel_kernel<<<grid, 256>>>(gray, out, width, height);  // <- here
}
