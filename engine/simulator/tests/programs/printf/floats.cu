// about: Floats are passed as doubles.
// output out: zeroed i32[1] = 0
// printed: 0.500000|-1.25|   3.1|1.000000e-03|100000|inf|nan
// finding: none

#include "workbook.cuh"

__global__ void kernel(float half, float zero) {
    printf("%f|%.2f|%6.1f|%e|%g|%f|%f\n", half, -1.25, 3.14159, 0.001, 1e5, half / zero, fabsf(zero / zero));
}

void run(int* out) { kernel<<<1, 1>>>(0.5f, 0.0f); }
