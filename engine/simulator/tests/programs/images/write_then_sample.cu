// about: A kernel draws to a surface, the next reads the same array as a texture, between the pixels.
// output out: f32[14] = i * 2
// finding: none

#include "workbook.cuh"

__global__ void draw(cudaSurfaceObject_t image) { surf2Dwrite(4.0f * threadIdx.x, image, threadIdx.x * 4, 0); }
__global__ void sample(cudaTextureObject_t image, float* out) {
    out[threadIdx.x] = tex2D<float>(image, 0.5f + threadIdx.x / 2.0f, 0.5f);
}

void run(float* out) {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &desc, 8, 1, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
    settings.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &settings, nullptr);
    draw<<<1, 8>>>(surface);
    sample<<<1, 14>>>(texture, out);
    cudaDestroyTextureObject(texture);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
}
