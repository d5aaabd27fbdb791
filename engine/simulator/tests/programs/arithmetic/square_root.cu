// about: Square roots and reciprocals, correctly rounded.
// input in: f32[5] = {2; 3; 10; 16; 1e-40}
// output root: f32[5] = sqrt(in[i])
// output inverse: f32[5] = i < 4 ? 1 / in[i] : inf
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* in, float* root, float* inverse) {
    const int i = threadIdx.x;
    root[i] = sqrtf(in[i]);
    inverse[i] = 1.0f / in[i];
}

void run(const float* in, float* root, float* inverse) { kernel<<<1, 5>>>(in, root, inverse); }
