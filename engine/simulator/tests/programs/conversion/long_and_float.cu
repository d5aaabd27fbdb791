// about: 64-bit integers to floats and doubles and back.
// input in: i64[3] = {9007199254740993; -5; 4611686018427387904}
// output real: f64[3] = {9007199254740992; -5; 4611686018427387904}
// output back: i64[3] = {9007199254740992; -5; 4611686018427387904}
// output single: f32[3] = {9007199254740992; -5; 4611686018427387904}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const long long* in, double* real, long long* back, float* single) {
    const int i = threadIdx.x;
    real[i] = (double)in[i];
    back[i] = (long long)real[i];
    single[i] = (float)in[i];
}

void run(const long long* in, double* real, long long* back, float* single) {
    kernel<<<1, 3>>>(in, real, back, single);
}
