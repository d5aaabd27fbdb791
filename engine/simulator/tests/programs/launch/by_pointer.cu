// about: cudaLaunchKernel with pointers cast to void, of a plain kernel and of a template.
// input in: i32[40] = i
// output out: i32[40] = 2 * in[i] + 1
// finding: none

#include "workbook.cuh"

__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
template <class T>
__global__ void add(T* out, T by) {
    out[threadIdx.x] += by;
}

void run(const int* in, int* out) {
    int one = 1;
    void* first[] = {&in, &out};
    void* second[] = {&out, &one};
    cudaLaunchKernel((const void*)twice, dim3(1), dim3(40), first, 0, 0);
    cudaLaunchKernel((void*)add<int>, dim3(1), dim3(40), second, 0, 0);
}
