// about: A texture of bytes read as floating-point numbers, without the read mode that makes fractions of them.
// input in: u8[32] = i
// output out: f32[32] = any
// finding: W0110 error
// gpu: skip what it reads is left open

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

__global__ void copy(cudaTextureObject_t image, float* out) {
    out[threadIdx.x] = tex2D<float>(image, threadIdx.x, 0);  // <- W0110
}

void run(const uint8_t* in, float* out) {
    const cudaTextureDesc settings = {};
    Image image(in, 32, 1, 1, cudaCreateChannelDesc<unsigned char>(), settings);
    copy<<<1, 32>>>(image.texture, out);
}
