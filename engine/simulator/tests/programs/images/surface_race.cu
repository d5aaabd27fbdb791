// about: Two blocks write the same pixel of a surface.
// output out: i32[1] = any
// finding: W0303 error

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

__global__ void fill(cudaSurfaceObject_t image) {
    surf2Dwrite((int)blockIdx.x, image, threadIdx.x * 4, 0);  // <- W0303
}

void run(int* out) {
    Image image(32, 1, cudaCreateChannelDesc<int>());
    fill<<<2, 32>>>(image.surface);
}
