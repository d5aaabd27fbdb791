// about: The host changes page-locked memory while an array may still be filled from it.
// input in: u8[64] = i
// output out: u8[64] = any
// finding: W0620 error

#include "workbook.cuh"

void run(const uint8_t* in, uint8_t* out) {
    uint8_t* host;
    cudaMallocHost(&host, 64);
    for (int i = 0; i < 64; ++i) host[i] = i;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, 16, 4);
    cudaMemcpy2DToArrayAsync(array, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice);  // <- W0620
    host[5] = 0;
    cudaMemcpy2DFromArray(out, 16, array, 0, 0, 16, 4, cudaMemcpyDeviceToDevice);
    cudaFreeArray(array);
    cudaFreeHost(host);
}
