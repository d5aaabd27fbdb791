// about: The host reads what may still be on its way from an array to page-locked memory.
// input in: u8[64] = i
// output out: u8[64] = any
// finding: W0620 error

#include "workbook.cuh"

void run(const uint8_t* in, uint8_t* out) {
    uint8_t* host;
    cudaMallocHost(&host, 64);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, 16, 4);
    cudaMemcpy2DToArray(array, 0, 0, in, 16, 16, 4, cudaMemcpyDeviceToDevice);
    cudaMemcpy2DFromArrayAsync(host, 16, array, 0, 0, 16, 4, cudaMemcpyDeviceToHost);
    const uint8_t last = host[63];  // <- W0620
    cudaMemset(out, last, 64);
    cudaFreeArray(array);
    cudaFreeHost(host);
}
