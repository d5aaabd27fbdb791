// about: The memory under a texture is freed while kernels still use the texture.
// output out: f32[32] = any
// finding: W0103 error
// sanitizer: memcheck
// gpu: skip the memory is not there any more

#include "workbook.cuh"

__global__ void copy(cudaTextureObject_t numbers, float* out) {
    out[threadIdx.x] = tex1Dfetch<float>(numbers, threadIdx.x);  // <- W0103
}

void run(float* out) {
    float* pixels;
    cudaMalloc(&pixels, 32 * sizeof(float));
    cudaMemset(pixels, 0, 32 * sizeof(float));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = pixels;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32 * sizeof(float);
    const cudaTextureDesc settings = {};
    cudaTextureObject_t numbers;
    cudaCreateTextureObject(&numbers, &resource, &settings, nullptr);
    cudaFree(pixels);
    copy<<<1, 32>>>(numbers, out);
    cudaDestroyTextureObject(numbers);
}
