// about: Weights have eight bits: what differs by less than a 512th of a pixel is the same.
// output out: f32[64] = i / 4
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

// From 0 to 256 between the centres of the two pixels; steps of a quarter of a weight, a little to the right.
__global__ void between(cudaTextureObject_t image, float* out) {
    const int i = threadIdx.x;
    out[i] = tex2D<float>(image, 0.5f + (i / 4 + (i % 4 - 1) * 0.125f) / 256, 0.5f);
}

void run(float* out) {
    const float two[2] = {0, 256};
    float* pixels;
    cudaMalloc(&pixels, sizeof(two));
    cudaMemcpy(pixels, two, sizeof(two), cudaMemcpyHostToDevice);
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
    settings.filterMode = cudaFilterModeLinear;
    Image image(pixels, 2, 1, sizeof(float), cudaCreateChannelDesc<float>(), settings);
    between<<<1, 64>>>(image.texture, out);
    cudaFree(pixels);
}
