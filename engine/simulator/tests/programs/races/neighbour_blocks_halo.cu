// about: A blur in place reads what the neighbouring block overwrites.
// input in: i32[128] = i
// output out: i32[128] = any
// finding: race error

#include "workbook.cuh"

__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void blur(int* image, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int left = image[max(i - 1, 0)];  // <- race
    image[i] = left + 1;  // <- with race
}

void run(const int* in, int* out) {
    copy<<<1, 128>>>(in, out);
    blur<<<2, 64>>>(out, 128);
}
