// expect: mismatch smooth_box
// tasks: smooth_box
// fault: the window of each strip but the first begins without the upper one of its two rows above.
#include "workbook.cuh"

constexpr int strip = 32;

__global__ void smooth_box_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * strip;
    if (x >= width) return;
    const auto row = [&](int y) {
        int sum = 0;
        for (int dx = -2; dx <= 2; ++dx)
            if (y >= 0 && y < height && x + dx >= 0 && x + dx < width)
                sum += gray[y * width + x + dx];
        return sum;
    };
    const int columns = min(x, 2) + min(width - 1 - x, 2) + 1;
    int oldest = 0;
    int sum = row(first - 1) + row(first) + row(first + 1);
    for (int y = first; y < min(first + strip, height); ++y) {
        sum += row(y + 2) - oldest;
        const int count = columns * (min(y, 2) + min(height - 1 - y, 2) + 1);
        out[y * width + x] = (2 * sum + count) / (2 * count);
        oldest = y > first ? row(y - 2) : 0;
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 64), ceil_div(height, strip));
    smooth_box_kernel<<<grid, 64>>>(gray, out, width, height);
}
