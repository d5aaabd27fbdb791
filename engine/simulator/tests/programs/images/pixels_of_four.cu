// about: Pixels of four bytes, of two and of four floating-point numbers.
// input bytes: u8[64] = i * 3
// input floats: f32[64] = i / 2.0
// output swapped: u8[64] = bytes[i / 4 * 4 + 3 - i % 4]
// output sums: f32[32] = floats[2 * i] + floats[2 * i + 1]
// output backward: f32[64] = floats[i / 4 * 4 + 3 - i % 4]
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

__global__ void swap(cudaTextureObject_t image, uchar4* out) {
    const uchar4 pixel = tex2D<uchar4>(image, threadIdx.x, threadIdx.y);
    out[threadIdx.y * 4 + threadIdx.x] = make_uchar4(pixel.w, pixel.z, pixel.y, pixel.x);
}
__global__ void add(cudaTextureObject_t image, float* out) {
    const float2 pixel = tex2D<float2>(image, threadIdx.x, threadIdx.y);
    out[threadIdx.y * 8 + threadIdx.x] = pixel.x + pixel.y;
}
__global__ void turn(cudaTextureObject_t image, float4* out) {
    const float4 pixel = tex2DLod<float4>(image, threadIdx.x, threadIdx.y, 0);
    out[threadIdx.y * 4 + threadIdx.x] = make_float4(pixel.w, pixel.z, pixel.y, pixel.x);
}

void run(const uint8_t* bytes, const float* floats, uint8_t* swapped, float* sums, float* backward) {
    const cudaTextureDesc settings = {};
    Image fours(bytes, 4, 4, 4, cudaCreateChannelDesc<uchar4>(), settings);
    swap<<<1, dim3(4, 4)>>>(fours.texture, (uchar4*)swapped);
    Image twos(floats, 8, 4, 8, cudaCreateChannelDesc<float2>(), settings);
    add<<<1, dim3(8, 4)>>>(twos.texture, sums);
    Image wide(floats, 4, 4, 16, cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat), settings);
    turn<<<1, dim3(4, 4)>>>(wide.texture, (float4*)backward);
}
