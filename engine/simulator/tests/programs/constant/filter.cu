// about: Filter weights in constant memory, copied there by the host.
// input in: i32[64] = i
// output out: i32[62] = in[i] + 2 * in[i + 1] + in[i + 2]
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__constant__ int weights[3];

__global__ void filter(const int* in, int* out) {
    int sum = 0;
    for (int k = 0; k < 3; ++k) sum += weights[k] * in[threadIdx.x + k];
    out[threadIdx.x] = sum;
}

void run(const int* in, int* out) {
    const int host[3] = {1, 2, 1};
    cudaMemcpyToSymbol(weights, host, sizeof host);
    filter<<<1, 62>>>(in, out);
}
