// why: an array is filled half by half in two streams, each with the kernel that reads it.
// tasks: grayscale
#include "workbook.cuh"

__global__ void half_kernel(cudaTextureObject_t rgb, uint8_t* gray, int width, int from, int to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = from + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= to) return;
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
    cudaTextureObject_t texture;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uint8_t>();
    WORKBOOK_CHECK(cudaMallocArray(&array, &format, 3 * width, height));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc reading = {};
    reading.readMode = cudaReadModeElementType;
    WORKBOOK_CHECK(cudaCreateTextureObject(&texture, &resource, &reading, nullptr));
    cudaStream_t streams[2];
    for (int part = 0; part < 2; ++part) {
        const int from = part * (height / 2), to = part ? height : height / 2;
        WORKBOOK_CHECK(cudaStreamCreateWithFlags(&streams[part], cudaStreamNonBlocking));
        if (from == to) continue;
        WORKBOOK_CHECK(cudaMemcpy2DToArrayAsync(array, 0, from, rgb + 3 * width * from, 3 * width,
                                                3 * width, to - from, cudaMemcpyDeviceToDevice,
                                                streams[part]));
        const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(to - from, 8));
        half_kernel<<<grid, block, 0, streams[part]>>>(texture, gray, width, from, to);
    }
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    for (cudaStream_t stream : streams) WORKBOOK_CHECK(cudaStreamDestroy(stream));
    WORKBOOK_CHECK(cudaDestroyTextureObject(texture));
    WORKBOOK_CHECK(cudaFreeArray(array));
}
