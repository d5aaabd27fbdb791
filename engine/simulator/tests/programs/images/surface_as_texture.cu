// about: A surface object where a texture is needed.
// output out: f32[32] = any
// finding: W0109 error
// gpu: skip the handle means something else

#include "workbook.cuh"

// An array and a surface over it.
struct Image {
    cudaArray_t array;
    cudaSurfaceObject_t surface;

    Image(int width, int height, cudaChannelFormatDesc desc) {
        cudaMallocArray(&array, &desc, width, height, cudaArraySurfaceLoadStore);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaCreateSurfaceObject(&surface, &resource);
    }
    ~Image() {
        cudaDestroySurfaceObject(surface);
        cudaFreeArray(array);
    }
};

__global__ void copy(cudaTextureObject_t image, float* out) {
    out[threadIdx.x] = tex2D<float>(image, threadIdx.x, 0);  // <- W0109
}

void run(float* out) {
    Image image(32, 1, cudaCreateChannelDesc<float>());
    copy<<<1, 32>>>(image.surface, out);
}
