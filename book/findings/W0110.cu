// W0110: the texture holds whole numbers, and the kernel reads fractions.
#include "workbook.cuh"

__global__ void grayscale_kernel(cudaTextureObject_t image, uint8_t* gray, int width) {
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        const float red = tex2D<float>(image, 3 * x, blockIdx.x);
        gray[blockIdx.x * width + x] = 255.0f * red;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    cudaMallocArray(&array, &bytes, 3 * width, height);
    cudaMemcpy2DToArray(array, 0, 0, rgb, 3 * width, 3 * width, height, cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings = {};
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &resource, &settings, nullptr);
    grayscale_kernel<<<height, 128>>>(image, gray, width);
    cudaDestroyTextureObject(image);
    cudaFreeArray(array);
}
