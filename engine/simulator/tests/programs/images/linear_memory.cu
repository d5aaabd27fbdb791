// about: tex1Dfetch: plain memory by whole numbers; outside there are zeros.
// input in: i32[32] = 100 + i
// output out: i32[64] = i >= 8 && i < 40 ? in[i - 8] : 0
// finding: none

#include "workbook.cuh"

__global__ void fetch(cudaTextureObject_t numbers, int* out) {
    out[threadIdx.x] = tex1Dfetch<int>(numbers, (int)threadIdx.x - 8);
}

void run(const int* in, int* out) {
    int* copy;
    cudaMalloc(&copy, 32 * sizeof(int));
    cudaMemcpy(copy, in, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = copy;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = 32 * sizeof(int);
    const cudaTextureDesc settings = {};
    cudaTextureObject_t numbers;
    cudaCreateTextureObject(&numbers, &resource, &settings, nullptr);
    fetch<<<1, 64>>>(numbers, out);
    cudaDestroyTextureObject(numbers);
    cudaFree(copy);
}
