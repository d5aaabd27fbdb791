// about: A surface written, read back by the next kernel and copied out; x counts bytes.
// input in: u8[64] = 3 * i
// output turned: u8[64] = in[i % 4 + 4 * (i / 4 % 4 * 4 + i / 16)]
// output raw: u8[64] = 255 - in[i]
// finding: none
// sanitizer: memcheck

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

__global__ void invert(const uchar4* in, cudaSurfaceObject_t image) {
    const int x = threadIdx.x, y = threadIdx.y;
    const uchar4 p = in[y * 4 + x];
    surf2Dwrite(make_uchar4(255 - p.x, 255 - p.y, 255 - p.z, 255 - p.w), image, x * 4, y);
}
__global__ void turn(cudaSurfaceObject_t image, uchar4* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    const uchar4 p = surf2Dread<uchar4>(image, y * 4, x);
    out[y * 4 + x] = make_uchar4(255 - p.x, 255 - p.y, 255 - p.z, 255 - p.w);
}

void run(const uint8_t* in, uint8_t* turned, uint8_t* raw) {
    Image image(4, 4, cudaCreateChannelDesc<uchar4>());
    invert<<<1, dim3(4, 4)>>>((const uchar4*)in, image.surface);
    turn<<<1, dim3(4, 4)>>>(image.surface, (uchar4*)turned);
    cudaMemcpy2DFromArray(raw, 16, image.array, 0, 0, 16, 4, cudaMemcpyDeviceToDevice);
}
