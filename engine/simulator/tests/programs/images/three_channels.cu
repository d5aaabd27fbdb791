// about: Pixels of three channels: there is no such array.
// output out: i32[1] = 20
// finding: W0618 error

#include "workbook.cuh"

__global__ void keep(int code, int* out) { *out = code; }

void run(int* out) {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    cudaArray_t array;
    const cudaError_t status = cudaMallocArray(&array, &desc, 32, 32);  // <- W0618
    keep<<<1, 1>>>(status, out);
}
