// expect: mismatch sobel
// tasks: sobel
// engine: simulator
// fault: the row length goes to the GPU only if the picture is higher than all before.
#include "workbook.cuh"

__constant__ int2 size_of_image;

__global__ void sobel_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                             int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const auto at = [&](int dx, int dy) {
        const int column = min(max(x + dx, 0), width - 1), row = min(max(y + dy, 0), height - 1);
        return int(gray[row * min(size_of_image.x, width) + column]);
    };
    const int gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    const int gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    out[y * width + x] = min(abs(gx) + abs(gy), 255);
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    static int known = 0;
    if (known < height) {  // a wider picture that is not higher keeps the old row length
        const int2 size = {width, height};
        WORKBOOK_CHECK(cudaMemcpyToSymbol(size_of_image, &size, sizeof(size)));
        known = height;
    }
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    sobel_kernel<<<grid, dim3(32, 8)>>>(gray, out, width, height);
}
