// about: atomicAdd of doubles, from compute capability 6.0 on.
// output out: zeroed f64[1] = 16.0
// finding: none

#include "workbook.cuh"

__global__ void add(double* out) { atomicAdd(out, 0.25); }

void run(double* out) { add<<<2, 32>>>(out); }
