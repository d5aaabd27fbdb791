// why: a pitched 3-D allocation holds the planes; rows are copied and read by pitch.
// tasks: grayscale_darken
#include "workbook.cuh"

__global__ void darken_kernel(cudaPitchedPtr planes, uint8_t* gray, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const auto at = [&](int plane) {
        const char* base = static_cast<const char*>(planes.ptr);
        return static_cast<uint8_t>(base[(plane * planes.ysize + y) * planes.pitch + x]);
    };
    const float sum = 0.3f * at(0) + 0.59f * at(1) + 0.11f * at(2);
    gray[y * width + x] = static_cast<uint8_t>(sum * 0.6f + 0.5f);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    cudaPitchedPtr planes;
    WORKBOOK_CHECK(cudaMalloc3D(&planes, make_cudaExtent(width, height, 3)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<uint8_t*>(planar_rgb), width, width, height);
    copy.dstPtr = planes;
    copy.extent = make_cudaExtent(width, height, 3);
    copy.kind = cudaMemcpyDeviceToDevice;
    WORKBOOK_CHECK(cudaMemcpy3D(&copy));
    const dim3 block(16, 16), grid(ceil_div(width, 16), ceil_div(height, 16));
    darken_kernel<<<grid, block>>>(planes, gray, width, height);
    WORKBOOK_CHECK(cudaFree(planes.ptr));
}
