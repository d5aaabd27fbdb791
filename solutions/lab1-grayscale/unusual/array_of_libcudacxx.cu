// why: weights in a cuda::std::array.
// tasks: grayscale
#include <cuda/std/array>
#include <cuda/std/cstdint>

#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int n) {
    const cuda::std::array<int, 3> w{30, 59, 11};
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = 50;
    for (cuda::std::size_t c = 0; c < w.size(); ++c) s += w[c] * rgb[3 * i + c];
    gray[i] = static_cast<cuda::std::uint8_t>(s / 100);
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    grayscale_kernel<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width * height);
}
