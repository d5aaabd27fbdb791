// about: The texture object is destroyed before the kernel that uses it.
// input in: u8[32] = i
// output out: u8[32] = any
// finding: W0109 error
// gpu: skip the handle means nothing any more

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

__global__ void copy(cudaTextureObject_t image, uint8_t* out) {
    out[threadIdx.x] = tex2D<unsigned char>(image, threadIdx.x, 0);  // <- W0109
}

void run(const uint8_t* in, uint8_t* out) {
    cudaTextureObject_t kept;
    {
        const cudaTextureDesc settings = {};
        Image image(in, 32, 1, 1, cudaCreateChannelDesc<unsigned char>(), settings);
        kept = image.texture;
    }
    copy<<<1, 32>>>(kept, out);
}
