// about: A texture object and its array that are never given back.
// input in: u8[32] = i
// output out: u8[32] = in[31 - i]
// finding: W0615 warning
// finding: host warning

#include "workbook.cuh"

__global__ void reverse(cudaTextureObject_t image, uint8_t* out) {
    out[threadIdx.x] = tex2D<unsigned char>(image, 31 - (int)threadIdx.x, 0);
}

void run(const uint8_t* in, uint8_t* out) {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    cudaMallocArray(&array, &desc, 32, 1);  // <- host
    cudaMemcpy2DToArray(array, 0, 0, in, 32, 32, 1, cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaTextureDesc settings = {};
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &resource, &settings, nullptr);  // <- W0615
    reverse<<<1, 32>>>(image, out);
}
