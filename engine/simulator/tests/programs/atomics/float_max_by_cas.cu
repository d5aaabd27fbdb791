// about: The largest float by a loop of compare-and-swap; the plain load before it is only a first guess.
// input in: f32[64] = (i * 29 % 64) * 0.25 - 20
// output out: zeroed f32[1] = -4.25
// finding: none

#include "workbook.cuh"

__device__ void atomic_max(float* address, float value) {
    int* bits = (int*)address;
    int old = *bits;
    while (__int_as_float(old) < value) {
        const int seen = atomicCAS(bits, old, __float_as_int(value));
        if (seen == old) return;
        old = seen;
    }
}

__global__ void largest(const float* in, float* out) {
    __shared__ float best;
    if (threadIdx.x == 0) best = -1e30f;
    __syncthreads();
    atomic_max(&best, in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) *out = best;
}

void run(const float* in, float* out) { largest<<<1, 64>>>(in, out); }
