// Copies to shared memory of each size, the last with an end that is not there.
#include <cuda_pipeline.h>

#include "workbook.cuh"

constexpr int most = 512;

__global__ void inverted(const uint8_t* in, uint8_t* out, int n) {
    __shared__ __align__(16) uint8_t copy[most];
    for (int i = threadIdx.x; i < most; i += blockDim.x) copy[i] = 7;
    __syncthreads();
    if (threadIdx.x == 0) {
        int at = 0;
        for (; at + 16 <= 64; at += 16) __pipeline_memcpy_async(copy + at, in + at, 16);
        for (; at + 8 <= 96; at += 8) __pipeline_memcpy_async(copy + at, in + at, 8);
        __pipeline_commit();
        for (; at < n; at += 4) {
            const int missing = at + 4 > n ? at + 4 - n : 0;
            __pipeline_memcpy_async(copy + at, in + at, 4, missing);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __pipeline_wait_prior(0);
        printf("%d %d\n", copy[n], copy[(n + 3) / 4 * 4]);
    }
    __syncthreads();  // all bytes are there for all threads
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 255 - copy[i];
}

void pipeline(const uint8_t* in, uint8_t* out, int width, int height) {
    inverted<<<1, 64>>>(in, out, width * height);
}
