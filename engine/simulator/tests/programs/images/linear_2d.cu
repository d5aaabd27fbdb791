// about: Bilinear filtering of floating-point pixels, in quarters of a pixel between their centres.
// input in: f32[20] = i * i % 13
// output out: f32[195] = (
//   (4 - i % 15 % 4) * (4 - i / 15 % 4) * in[i / 15 / 4 * 5 + i % 15 / 4] +
//   (i % 15 % 4) * (4 - i / 15 % 4) * in[i / 15 / 4 * 5 + min(i % 15 / 4 + 1, 4)] +
//   (4 - i % 15 % 4) * (i / 15 % 4) * in[min(i / 15 / 4 + 1, 3) * 5 + i % 15 / 4] +
//   (i % 15 % 4) * (i / 15 % 4) * in[min(i / 15 / 4 + 1, 3) * 5 + min(i % 15 / 4 + 1, 4)]) / 16.0
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

__global__ void enlarge(cudaTextureObject_t image, float* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    out[y * 15 + x] = tex2D<float>(image, x * 0.25f + 0.5f, y * 0.25f + 0.5f);
}

void run(const float* in, float* out) {
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
    settings.filterMode = cudaFilterModeLinear;
    Image image(in, 5, 4, sizeof(float), cudaCreateChannelDesc<float>(), settings);
    enlarge<<<1, dim3(15, 13)>>>(image.texture, out);
}
