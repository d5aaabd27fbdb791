// about: A __managed__ variable: the host writes it, a kernel reads and changes it, the host reads it.
// output out: i32[3] = {5; 6; 12}
// finding: none

#include "workbook.cuh"

__managed__ int value = 1;

__global__ void kernel(int* out) {
    out[0] = value;
    value += 1;
    out[1] = value;
}
__global__ void store(int* out, int sum) { out[2] = sum; }

void run(int* out) {
    value = 5;
    kernel<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    store<<<1, 1>>>(out, value + 6);
}
