// about: Reads outside a surface: the nearest pixel, or zero; what is written outside is dropped.
// output clamped: f32[24] = 10 * clamp(i / 6 - 1, 0, 1) + clamp(i % 6 - 1, 0, 3)
// output zero: f32[24] = i / 6 >= 1 && i / 6 < 3 && i % 6 >= 1 && i % 6 < 5 ? 10 * (i / 6 - 1) + i % 6 - 1 : 0
// finding: none

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
    const int x = (int)threadIdx.x - 1, y = (int)threadIdx.y - 1;
    surf2Dwrite(10.0f * y + x, image, x * (int)sizeof(float), y, cudaBoundaryModeZero);
}
__global__ void read(cudaSurfaceObject_t image, float* clamped, float* zero) {
    const int x = (int)threadIdx.x - 1, y = (int)threadIdx.y - 1;
    const int at = threadIdx.y * 6 + threadIdx.x;
    clamped[at] = surf2Dread<float>(image, x * (int)sizeof(float), y, cudaBoundaryModeClamp);
    zero[at] = surf2Dread<float>(image, x * (int)sizeof(float), y, cudaBoundaryModeZero);
}

void run(float* clamped, float* zero) {
    Image image(4, 2, cudaCreateChannelDesc<float>());
    fill<<<1, dim3(6, 4)>>>(image.surface);
    read<<<1, dim3(6, 4)>>>(image.surface, clamped, zero);
}
