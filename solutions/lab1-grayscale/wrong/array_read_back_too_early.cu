// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: the kernel writes a surface in one stream, and its array is copied in another one that
//        waits for nothing.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, cudaSurfaceObject_t gray, int width,
                                 int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const uint8_t* p = rgb + 3 * (y * width + x);
    surf2Dwrite<uint8_t>((30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100, gray, x, y);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    cudaArray_t array;
    cudaStream_t first, second;
    cudaSurfaceObject_t surface;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uint8_t>();
    WORKBOOK_CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    WORKBOOK_CHECK(cudaStreamCreate(&first));
    WORKBOOK_CHECK(cudaStreamCreate(&second));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    WORKBOOK_CHECK(cudaCreateSurfaceObject(&surface, &resource));
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    grayscale_kernel<<<grid, block, 0, first>>>(rgb, surface, width, height);
    WORKBOOK_CHECK(cudaMemcpy2DFromArrayAsync(gray, width, array, 0, 0, width, height,  // <- here
                                              cudaMemcpyDeviceToDevice, second));
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    WORKBOOK_CHECK(cudaDestroySurfaceObject(surface));
    WORKBOOK_CHECK(cudaFreeArray(array));
    WORKBOOK_CHECK(cudaStreamDestroy(first));
    WORKBOOK_CHECK(cudaStreamDestroy(second));
}
