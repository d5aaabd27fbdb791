// about: A kernel uses memory of cudaMallocHost by the pointer of the host, as every GPU of today can.
// output out: i32[32] = i + 7
// finding: none

#include "workbook.cuh"

__global__ void count(int* values, int by) { values[threadIdx.x] += by; }

void run(int* out) {
    int* values;
    cudaMallocHost(&values, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) values[i] = i;
    count<<<1, 32>>>(values, 4);
    cudaDeviceSynchronize();
    values[0] += 1;
    for (int i = 1; i < 32; ++i) ++values[i];
    int* same;
    cudaHostGetDevicePointer(&same, values, 0);
    count<<<1, 32>>>(same, 2);
    cudaMemcpy(out, values, 32 * sizeof(int), cudaMemcpyDefault);
    cudaFreeHost(values);
}
