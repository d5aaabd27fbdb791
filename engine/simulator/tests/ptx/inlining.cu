// Sample for `ptx_samples.rs`: three levels of inlining, the same function at several places.
// inlining.ptx: NVRTC 12.9.86, -arch=compute_90 -lineinfo

__device__ __forceinline__ float square(const float* x, int i) {
    float a = x[i];
    return a * a;
}

__device__ __forceinline__ float pair(const float* x, int i) {
    float sum = square(x, i);
    sum += square(x, i + 1);
    return sum;
}

__device__ __forceinline__ float scaled(const float* x, int i) {
    float q = pair(x, i) * 3.0f;
    return q;
}

extern "C" __global__ void inlining(float* __restrict__ out, const float* __restrict__ in) {
    int i = threadIdx.x;
    float p = scaled(in, i);
    float r = pair(in, i * 3);
    out[i] = p + r;
}
