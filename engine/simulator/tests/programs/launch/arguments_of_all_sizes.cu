// about: Arguments of one, two, four and eight bytes between each other.
// output out: f64[1] = 1 + 2 + 3 + 4 + 0.5 + 0.25
// finding: none

#include "workbook.cuh"

__global__ void add(char a, double* out, short b, int c, long long d, float e, double f) {
    *out = a + b + c + d + e + f;
}

void run(double* out) { add<<<1, 1>>>(1, out, 2, 3, 4, 0.5f, 0.25); }
