// expect: finding launch
// tasks: smooth_box, smooth_triangular
// fault: a block has as many threads as whole rows of up to 1,024 pixels need: for a wider image
//         1024 / width is 0, and so is the number of threads.
#include "workbook.cuh"

// (3 - |d|), or 1 for the box.
template <bool triangular>
__device__ int weight_at(int d) {
    return triangular ? 3 - abs(d) : 1;
}

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width, y = i / width;
    if (y >= height) return;
    int sum = 0, total = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
            const int weight = weight_at<triangular>(dx) * weight_at<triangular>(dy);
            sum += weight * gray[(y + dy) * width + x + dx];
            total += weight;
        }
    }
    out[y * width + x] = (sum + total / 2) / total;
}

template <bool triangular>
void smooth(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int threads = 1024 / width * width;
    const int blocks = (width * height + 1023) / 1024 + height;
    smooth_kernel<triangular><<<blocks, threads>>>(gray, out, width, height);  // <- here
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<false>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<true>(gray, out, width, height);
}
