// about: Bytes and shorts of both kinds, read as fractions of the largest.
// input bytes: u8[256] = i
// input shorts: i16[64] = -32768 + i * 1040
// output of_bytes: f32[256] = bytes[i] / 255.0
// output of_signed: f32[256] = max((i < 128 ? i : i - 256) / 127.0, -1)
// output of_shorts: f32[64] = max(shorts[i] / 32767.0, -1)
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

__global__ void read(cudaTextureObject_t image, float* out, int width) {
    const int i = threadIdx.x;
    out[i] = tex2D<float>(image, i % width, i / width);
}

void run(const uint8_t* bytes, const int16_t* shorts, float* of_bytes, float* of_signed, float* of_shorts) {
    cudaTextureDesc settings = {};
    settings.readMode = cudaReadModeNormalizedFloat;
    Image unsigned_bytes(bytes, 16, 16, 1, cudaCreateChannelDesc<unsigned char>(), settings);
    read<<<1, 256>>>(unsigned_bytes.texture, of_bytes, 16);
    Image signed_bytes(bytes, 16, 16, 1, cudaCreateChannelDesc<signed char>(), settings);
    read<<<1, 256>>>(signed_bytes.texture, of_signed, 16);
    Image signed_shorts(shorts, 8, 8, 2, cudaCreateChannelDesc<short>(), settings);
    read<<<1, 64>>>(signed_shorts.texture, of_shorts, 8);
}
