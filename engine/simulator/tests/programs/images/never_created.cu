// about: A texture object that was never created.
// output out: u8[32] = any
// finding: W0109 error
// gpu: skip the handle means nothing

#include "workbook.cuh"

__global__ void copy(cudaTextureObject_t image, uint8_t* out) {
    out[threadIdx.x] = tex2D<unsigned char>(image, threadIdx.x, 0);  // <- W0109
}

void run(uint8_t* out) {
    cudaTextureObject_t image = 0;
    copy<<<1, 32>>>(image, out);
}
