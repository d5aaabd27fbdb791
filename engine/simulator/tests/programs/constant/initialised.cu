// about: Constant memory with values in the source, indexed differently by every thread.
// output out: f32[8] = {0.5; 0.25; -1; 3; 0.5; 0.25; -1; 3}
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__constant__ float table[4] = {0.5f, 0.25f, -1.0f, 3.0f};

__global__ void read(float* out) { out[threadIdx.x] = table[threadIdx.x % 4]; }

void run(float* out) { read<<<1, 8>>>(out); }
