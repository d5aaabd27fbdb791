// about: x of a surface access in pixels where it counts bytes: the second pixel begins at no multiple of its size.
// output out: i32[1] = any
// finding: W0102 error
// gpu: skip it traps

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
    surf2Dwrite(1.0f, image, threadIdx.x, 0);  // <- W0102
}

void run(int* out) {
    Image image(32, 2, cudaCreateChannelDesc<float>());
    fill<<<1, 32>>>(image.surface);
}
