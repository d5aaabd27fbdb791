// about: Powers of two and logarithms of them are exact in the fast functions too.
// input in: f32[4] = {-2; 0; 3; 10}
// output power: f32[4] = {0.25; 1; 8; 1024}
// output scaled: f32[4] = {-16; 0; 24; 80}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* in, float* power, float* scaled) {
    const int i = threadIdx.x;
    power[i] = exp2f(in[i]);
    scaled[i] = ldexpf(in[i], 3);
}

void run(const float* in, float* power, float* scaled) { kernel<<<1, 4>>>(in, power, scaled); }
