// Sample for `ptx_samples.rs`: shared memory, barriers, atomics, shuffles, vectors, a loop.
// blocks.ptx: NVRTC 12.9.86, -arch=compute_90 -lineinfo

extern "C" __global__ void __launch_bounds__(128) blocks(const uchar4* in, unsigned* bins, float2* out, int n) {
    extern __shared__ float scratch[];
    __shared__ unsigned local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uchar4 pixel = i < n ? in[i] : make_uchar4(0, 0, 0, 0);
    atomicAdd(&local[pixel.x], 1u);
    scratch[threadIdx.x] = __fsqrt_rn(pixel.y);
    __syncthreads();
    int sum = __shfl_down_sync(0xffffffff, (int)pixel.z, 4);
    if (__any_sync(0xffffffff, sum > 3) && threadIdx.x % 32 != 31)
        out[i] = make_float2(scratch[threadIdx.x ^ 1], 0.1f * sum);
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
