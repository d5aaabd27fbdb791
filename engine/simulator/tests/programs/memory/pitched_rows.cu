// about: Rows that are padded by cudaMallocPitch, walked with the pitch in bytes.
// input in: u8[70] = i
// output out: u8[70] = in[i] * 2
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void twice(uint8_t* image, size_t pitch, int width, int height) {
    const int x = threadIdx.x, y = threadIdx.y;
    if (x < width && y < height) image[y * pitch + x] *= 2;
}

void run(const uint8_t* in, uint8_t* out) {
    uint8_t* image = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&image, &pitch, 10, 7);
    cudaMemcpy2D(image, pitch, in, 10, 10, 7, cudaMemcpyDeviceToDevice);
    twice<<<1, dim3(16, 8)>>>(image, pitch, 10, 7);
    cudaMemcpy2D(out, 10, image, pitch, 10, 7, cudaMemcpyDeviceToDevice);
    cudaFree(image);
}
