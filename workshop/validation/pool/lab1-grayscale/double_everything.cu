// family: float arithmetic
// style: a physicist: everything in double, divisions by 255 and back, floor and fmin per pixel
// expected bottleneck: double arithmetic, with its slow divisions
#include "workbook.cuh"

__device__ double unit(uint8_t v) { return (double)v / 255.0; }

__global__ void luminance(const uint8_t* in, uint8_t* out, int n, double gain, int stride,
                          int plane) {
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n) {
        double y = 0.3 * unit(in[i * stride]) + 0.59 * unit(in[i * stride + plane]) +
            0.11 * unit(in[i * stride + 2 * plane]);
        y = fmin(1.0, fmax(0.0, y * gain));
        out[i] = (uint8_t)floor(255.0 * y + 0.5);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    luminance<<<(width * height + 255) / 256, 256>>>(rgb, gray, width * height, 1.0, 3, 1);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    luminance<<<(width * height + 255) / 256, 256>>>(planar_rgb, gray, width * height, 0.6, 1,
                                                     width * height);
}
