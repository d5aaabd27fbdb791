// about: One kernel template launched with two types and two constants.
// output whole: i32[8] = i * 3
// output real: f32[8] = i * 0.5
// finding: none

#include "workbook.cuh"

template <class T, int NUMERATOR, int DENOMINATOR>
__global__ void scale(T* out) {
    out[threadIdx.x] = (T)threadIdx.x * NUMERATOR / DENOMINATOR;
}

void run(int* whole, float* real) {
    scale<int, 3, 1><<<1, 8>>>(whole);
    scale<float, 1, 2><<<1, 8>>>(real);
}
