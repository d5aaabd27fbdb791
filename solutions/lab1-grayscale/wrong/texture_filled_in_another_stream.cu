// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: the array of a texture is filled in a non-blocking stream, for which the default stream
//        does not wait: the kernel may read pixels that are not there yet.
#include "workbook.cuh"

__global__ void grayscale_kernel(cudaTextureObject_t rgb, uint8_t* gray, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int red = tex2D<uint8_t>(rgb, 3 * x, y), green = tex2D<uint8_t>(rgb, 3 * x + 1, y);
    const int blue = tex2D<uint8_t>(rgb, 3 * x + 2, y);
    gray[y * width + x] = (30 * red + 59 * green + 11 * blue + 50) / 100;
}

__global__ void plain_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    if (3 * width > 131072 || height > 65000) {
        plain_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
        return;
    }
    cudaArray_t array;
    cudaStream_t stream;
    cudaTextureObject_t texture;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uint8_t>();
    WORKBOOK_CHECK(cudaMallocArray(&array, &format, 3 * width, height));
    WORKBOOK_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    WORKBOOK_CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, rgb, 3 * width, 3 * width, height,
                                            cudaMemcpyDeviceToDevice, stream));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc reading = {};
    reading.readMode = cudaReadModeElementType;
    WORKBOOK_CHECK(cudaCreateTextureObject(&texture, &resource, &reading, nullptr));
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    grayscale_kernel<<<grid, block>>>(texture, gray, width, height);  // <- here
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    WORKBOOK_CHECK(cudaDestroyTextureObject(texture));
    WORKBOOK_CHECK(cudaFreeArray(array));
    WORKBOOK_CHECK(cudaStreamDestroy(stream));
}
