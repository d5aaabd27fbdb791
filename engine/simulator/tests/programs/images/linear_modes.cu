// about: Filtering across the border of an image: with the pixel itself, with the other side, with black.
// input in: f32[8] = 8 + 8 * i
// output clamped: f32[20] = (in[clamp((i - 3) / 2 - ((i - 3) % 2 < 0), 0, 7)] +
//   in[clamp((i - 2) / 2 - ((i - 2) % 2 < 0), 0, 7)]) / 2.0
// output wrapped: f32[20] = (in[(i + 13) / 2 % 8] + in[(i + 14) / 2 % 8]) / 2.0
// output black: f32[20] = ((i - 3 >= 0 && i - 3 < 16 ? in[(i - 3) / 2] : 0) +
//   (i - 2 >= 0 && i - 2 < 16 ? in[(i - 2) / 2] : 0)) / 2.0
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

// Half a pixel at a time, from one pixel before the image on.
__global__ void along(cudaTextureObject_t image, float* out) {
    const int i = threadIdx.x;
    out[i] = tex2D<float>(image, (i - 2) / 16.0f, 0.5f);
}

void mode(const float* in, float* out, cudaTextureAddressMode across) {
    cudaTextureDesc settings = {};
    settings.addressMode[0] = across;
    settings.addressMode[1] = cudaAddressModeClamp;
    settings.filterMode = cudaFilterModeLinear;
    settings.normalizedCoords = 1;
    Image image(in, 8, 1, sizeof(float), cudaCreateChannelDesc<float>(), settings);
    along<<<1, 20>>>(image.texture, out);
}

void run(const float* in, float* clamped, float* wrapped, float* black) {
    mode(in, clamped, cudaAddressModeClamp);
    mode(in, wrapped, cudaAddressModeWrap);
    mode(in, black, cudaAddressModeBorder);
}
