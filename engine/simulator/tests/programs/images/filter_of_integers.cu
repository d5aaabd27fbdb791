// about: Linear filtering of whole numbers: the texture cannot be created.
// input in: u8[32] = i
// output out: i32[1] = 26
// finding: W0618 error

#include "workbook.cuh"

__global__ void keep(int code, int* out) { *out = code; }

void run(const uint8_t* in, int* out) {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    cudaMallocArray(&array, &desc, 32, 1);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings = {};
    settings.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t image;
    const cudaError_t status = cudaCreateTextureObject(&image, &resource, &settings, nullptr);  // <- W0618
    keep<<<1, 1>>>(status, out);
    cudaFreeArray(array);
}
