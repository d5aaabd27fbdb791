// about: A copy to an array with its width in pixels times two.
// input in: u8[64] = i
// output out: i32[1] = any
// finding: W0612 error

#include "workbook.cuh"

__global__ void keep(int code, int* out) { *out = code; }

void run(const uint8_t* in, int* out) {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    cudaMallocArray(&array, &desc, 8, 4);
    cudaMemcpy2DToArray(array, 0, 0, in, 16, 16, 4, cudaMemcpyDeviceToDevice);  // <- W0612
    keep<<<1, 1>>>(0, out);
    cudaFreeArray(array);
}
