// about: The weights go to constant memory before they are set.
// output out: i32[32] = any
// finding: W0206 error

#include "workbook.cuh"

__constant__ int weights[25];

__global__ void weigh(int* out) {
    int sum = 0;
    for (int k = 0; k < 25; ++k) {
        sum += weights[k];
    }
    out[threadIdx.x] = sum;
}

void run(int* out) {
    int values[25];
    cudaMemcpyToSymbol(weights, values, sizeof(values));  // <- W0206
    weigh<<<1, 32>>>(out);
}
