// about: Doubles keep what floats lose.
// input in: f64[3] = {1e16; 0.1; 1e300}
// output out: f64[3] = in[i] + 1 - in[i]
// output root: f64[3] = sqrt(in[i])
// output third: f64[3] = in[i] / 3
// finding: none

#include "workbook.cuh"

__global__ void kernel(const double* in, double* out, double* root, double* third) {
    const int i = threadIdx.x;
    out[i] = in[i] + 1 - in[i];
    root[i] = sqrt(in[i]);
    third[i] = in[i] / 3;
}

void run(const double* in, double* out, double* root, double* third) { kernel<<<1, 3>>>(in, out, root, third); }
