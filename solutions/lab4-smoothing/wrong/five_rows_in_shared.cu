// expect: finding launch
// tasks: smooth_box
// fault: five whole rows fit 48 KiB of shared memory up to 9,830 columns only.
#include "workbook.cuh"

__global__ void smooth_box_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    extern __shared__ uint8_t rows[];
    const int y = blockIdx.x;
    for (int row = 0; row < 5; ++row) {
        const int source = y + row - 2;
        const bool inside = source >= 0 && source < height;
        for (int x = threadIdx.x; x < width; x += blockDim.x)
            rows[row * width + x] = inside ? gray[source * width + x] : 0;
    }
    __syncthreads();
    const int high = min(y + 2, height - 1) - max(y - 2, 0) + 1;
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        const int left = max(x - 2, 0), right = min(x + 2, width - 1);
        int sum = 0;
        for (int row = 0; row < 5; ++row)
            for (int column = left; column <= right; ++column) sum += rows[row * width + column];
        const int count = high * (right - left + 1);
        out[y * width + x] = (sum + count / 2) / count;
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_box_kernel<<<height, 256, 5 * width>>>(gray, out, width, height);  // <- here
}
