// about: The four address modes with normalized coordinates, pixel by pixel from two images before to one after.
// input in: i32[8] = 10 + i
// output wrapped: i32[32] = 10 + (i + 16) % 8
// output mirrored: i32[32] = 10 + (i / 8 % 2 == 0 ? i % 8 : 7 - i % 8)
// output clamped: i32[32] = 10 + clamp(i - 16, 0, 7)
// output bordered: i32[32] = i >= 16 && i < 24 ? 10 + i - 16 : 0
// finding: none

#include "workbook.cuh"

// Makes a texture over an array of the given pixels, and frees both at the end.
struct Image {
    cudaArray_t array;
    cudaTextureObject_t texture;

    Image(const void* pixels, int width, int height, size_t pixel, cudaChannelFormatDesc desc, cudaTextureDesc settings) {
        cudaMallocArray(&array, &desc, width, height);
        cudaMemcpy2DToArray(array, 0, 0, pixels, width * pixel, width * pixel, height, cudaMemcpyDeviceToDevice);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaCreateTextureObject(&texture, &resource, &settings, nullptr);
    }
    ~Image() {
        cudaDestroyTextureObject(texture);
        cudaFreeArray(array);
    }
};

__global__ void along(cudaTextureObject_t image, int* out) {
    const int i = threadIdx.x;
    out[i] = tex2D<int>(image, (i - 16 + 0.5f) / 8, 0.5f);
}

void mode(const int* in, int* out, cudaTextureAddressMode mode) {
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = mode;
    settings.normalizedCoords = 1;
    Image image(in, 8, 1, sizeof(int), cudaCreateChannelDesc<int>(), settings);
    along<<<1, 32>>>(image.texture, out);
}

void run(const int* in, int* wrapped, int* mirrored, int* clamped, int* bordered) {
    mode(in, wrapped, cudaAddressModeWrap);
    mode(in, mirrored, cudaAddressModeMirror);
    mode(in, clamped, cudaAddressModeClamp);
    mode(in, bordered, cudaAddressModeBorder);
}
