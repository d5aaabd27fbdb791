// family: texture
// Style: the image as a one-dimensional texture of words; a pixel's bytes are cut out of them.
// Limit: texture fetches: each pixel asks for up to three words and uses one byte of each.
#include "workbook.cuh"

// Whole words lie in the texture; the bytes after the last one are read directly.
__device__ int byte_at(cudaTextureObject_t words, const uint8_t* buffer, int in_words, int i) {
    if (i >= in_words) return buffer[i];
    return (tex1Dfetch<unsigned int>(words, i / 4) >> (8 * (i % 4))) & 0xff;
}

__global__ void gray_texture(cudaTextureObject_t words, const uint8_t* rgb, int in_words,
                             uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int r = byte_at(words, rgb, in_words, 3 * i);
    const int g = byte_at(words, rgb, in_words, 3 * i + 1);
    const int b = byte_at(words, rgb, in_words, 3 * i + 2);
    gray[i] = (30 * r + 59 * g + 11 * b + 50) / 100;
}

__global__ void dark_texture(cudaTextureObject_t words, const uint8_t* planes, int in_words,
                             uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int r = byte_at(words, planes, in_words, i);
    const int g = byte_at(words, planes, in_words, n + i);
    const int b = byte_at(words, planes, in_words, 2 * n + i);
    gray[i] = static_cast<uint8_t>(0.6f * (0.3f * r + 0.59f * g + 0.11f * b) + 0.5f);
}

cudaTextureObject_t texture_of(const uint8_t* buffer, int words) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<uint8_t*>(buffer);
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned int>();
    resource.res.linear.sizeInBytes = 4 * static_cast<size_t>(words);
    cudaTextureDesc how;
    memset(&how, 0, sizeof(how));
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    return texture;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height, words = 3 * n / 4;
    const cudaTextureObject_t texture = words > 0 ? texture_of(rgb, words) : 0;
    gray_texture<<<ceil_div(n, 128), 128>>>(texture, rgb, 4 * words, gray, n);
    cudaDeviceSynchronize();
    if (words > 0) cudaDestroyTextureObject(texture);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height, words = 3 * n / 4;
    const cudaTextureObject_t texture = words > 0 ? texture_of(planar_rgb, words) : 0;
    dark_texture<<<ceil_div(n, 128), 128>>>(texture, planar_rgb, 4 * words, gray, n);
    cudaDeviceSynchronize();
    if (words > 0) cudaDestroyTextureObject(texture);
}
