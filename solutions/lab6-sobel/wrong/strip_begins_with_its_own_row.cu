// expect: mismatch sobel
// fault: a strip of rows takes its first row for the one above, where another strip lies above.
#include "workbook.cuh"

constexpr int strip = 64;

__global__ void sobel_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * strip;
    if (x >= width) return;
    const int left = max(x - 1, 0), right = min(x + 1, width - 1);
    const auto row = [&](int y) {
        const uint8_t* pixels = gray + min(y, height - 1) * width;
        return make_int3(pixels[left], pixels[x], pixels[right]);
    };
    int3 above = row(first), own = row(first);
    for (int y = first; y < min(first + strip, height); ++y) {
        const int3 below = row(y + 1);
        const int gx = above.z + 2 * own.z + below.z - above.x - 2 * own.x - below.x;
        const int gy = below.x + 2 * below.y + below.z - above.x - 2 * above.y - above.z;
        out[y * width + x] = min(abs(gx) + abs(gy), 255);
        above = own;
        own = below;
    }
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 128), ceil_div(height, strip));
    sobel_kernel<<<grid, 128>>>(gray, out, width, height);
}
