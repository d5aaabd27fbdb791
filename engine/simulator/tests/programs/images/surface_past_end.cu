// about: x of a surface access in pixels where bytes are meant the other way round: it leaves the row.
// output out: i32[1] = any
// finding: W0111 error
// sanitizer: memcheck
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
    surf2Dwrite((unsigned char)7, image, threadIdx.x * sizeof(int), 0);  // <- W0111
}

void run(int* out) {
    Image image(32, 2, cudaCreateChannelDesc<unsigned char>());
    fill<<<1, 32>>>(image.surface);
}
