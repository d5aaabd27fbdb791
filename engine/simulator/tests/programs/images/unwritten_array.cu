// about: An array that nothing has written is read through a texture.
// output out: f32[32] = any
// finding: W0204 error

#include "workbook.cuh"

__global__ void copy(cudaTextureObject_t image, float* out) {
    const float value = tex2D<float>(image, threadIdx.x, 0);  // <- with W0204
    out[threadIdx.x] = value;  // <- W0204
}

void run(float* out) {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &desc, 32, 1);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaTextureDesc settings = {};
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &resource, &settings, nullptr);
    copy<<<1, 32>>>(image, out);
    cudaDestroyTextureObject(image);
    cudaFreeArray(array);
}
