// about: Dynamic shared memory of the size that the launch asks for, shared by two arrays.
// input in: i32[48] = i
// output out: f32[48] = in[47 - i] + 0.5
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

extern __shared__ unsigned char memory[];

__global__ void reverse(const int* in, float* out) {
    const int i = threadIdx.x, n = blockDim.x;
    int* whole = (int*)memory;
    float* half = (float*)(whole + n);
    whole[i] = in[i];
    half[i] = 0.5f;
    __syncthreads();
    out[i] = whole[n - 1 - i] + half[i];
}

void run(const int* in, float* out) { reverse<<<1, 48, 48 * 8>>>(in, out); }
