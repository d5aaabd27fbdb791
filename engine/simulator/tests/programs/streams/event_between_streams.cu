// about: An event orders the kernels of two streams.
// input in: i32[64] = i
// output out: i32[64] = i * 4
// finding: none

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEvent_t done;
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaMemcpyAsync(out, in, 64 * sizeof(int), cudaMemcpyDeviceToDevice, one);
    twice<<<2, 32, 0, one>>>(out);
    cudaEventRecord(done, one);
    cudaStreamWaitEvent(two, done, 0);
    twice<<<2, 32, 0, two>>>(out);
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
}
