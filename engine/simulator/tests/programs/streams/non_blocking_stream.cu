// about: A non-blocking stream does not wait for the default stream.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0308 error

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemcpyAsync(out, in, 64 * sizeof(int), cudaMemcpyDeviceToDevice);  // <- with W0308
    twice<<<2, 32, 0, stream>>>(out);  // <- W0308
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
}
