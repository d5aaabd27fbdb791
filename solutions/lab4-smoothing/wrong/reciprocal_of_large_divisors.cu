// expect: mismatch filter_rgb
// fault: half a unit more mends the product with the rounded reciprocal for small divisors only.
#include "workbook.cuh"

// (3 - |d|), or 1 for the box.
template <bool triangular>
__device__ int weight_at(int d) {
    return triangular ? 3 - abs(d) : 1;
}

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
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

__constant__ int filter[25];

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
        const int quotient = static_cast<int>((sum + 0.5f) * (1.0f / divisor));
        out[i] = border ? rgb[i] : min(max(quotient, 0), 255);
    }
}

dim3 grid_for(int width, int height) { return dim3(ceil_div(width, 32), ceil_div(height, 8)); }

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<false><<<grid_for(width, height), dim3(32, 8)>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<true><<<grid_for(width, height), dim3(32, 8)>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    cudaMemcpyToSymbol(filter, filter25, 25 * sizeof(int));
    filter_rgb_kernel<<<grid_for(width, height), dim3(32, 8)>>>(rgb, out, divisor, width, height);
}
