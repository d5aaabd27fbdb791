// about: Template arguments of a kernel that a launch leaves to be deduced, all or the last ones.
// input in: i32[40] = i
// output out: i32[40] = 3 * in[i]
// output wide: f64[40] = in[i] + 1
// finding: none

#include "workbook.cuh"

template <class In, class Out>
__global__ void copy(const In* in, Out* out, int n) {
    if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x] + Out(1);
}
template <int factor, class T>
__global__ void scale(const T* in, T* out, int n);

void run(const int* in, int* out, double* wide) {
    copy<<<1, 64>>>(in, wide, 40);
    scale<3><<<dim3(1), dim3(64), 0, nullptr>>>(in, out, 40);
}

template <int factor, class T>
__global__ void scale(const T* in, T* out, int n) {
    if (threadIdx.x < n) out[threadIdx.x] = factor * in[threadIdx.x];
}
