// Device properties, errors, streams and events, settings and occupancy of kernels.
#include "device_launch_parameters.h"
#include "workbook.cuh"

__global__ void fill(uint8_t* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = 1;
}
template <int N>
__global__ void big(uint8_t* out) {
    extern __shared__ uint8_t shared[];
    out[threadIdx.x] = shared[N];
}

void device(const uint8_t*, uint8_t* out, int width, int height) {
    int count, device, processors, blocks, smallest_grid, block_size;
    cudaGetDeviceCount(&count);
    cudaSetDevice(0);
    cudaGetDevice(&device);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    printf("%s: %d.%d, %zu bytes, %d, %d x %d x %d\n", properties.name, properties.major,
           properties.minor, properties.totalGlobalMem, properties.multiProcessorCount,
           properties.maxThreadsDim[0], properties.maxGridSize[1],
           properties.maxThreadsPerMultiProcessor);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);

    cudaFuncSetAttribute(big<3>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1);
    cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&smallest_grid, &block_size, fill);

    cudaStream_t stream, other;
    cudaEvent_t start, stop;
    cudaStreamCreate(&stream);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&start);
    cudaEventCreateWithFlags(&stop, cudaEventDefault);
    cudaEventRecord(start, stream);
    fill<<<processors * blocks, block_size, 0, stream>>>(out, width * height);
    big<3><<<1, 32, 65536, other>>>(out);
    cudaEventRecord(stop, stream);
    cudaStreamWaitEvent(other, stop, 0);
    cudaEventSynchronize(stop);
    while (cudaEventQuery(stop) == cudaErrorNotReady ||
           cudaStreamQuery(stream) == cudaErrorNotReady) {
    }
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, stop);
    cudaStreamSynchronize(stream);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || cudaPeekAtLastError() != cudaSuccess) {
        fprintf(stderr, "%s (%s) after %f ms\n", cudaGetErrorString(error), cudaGetErrorName(error),
                milliseconds);
        exit(EXIT_FAILURE);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
}
