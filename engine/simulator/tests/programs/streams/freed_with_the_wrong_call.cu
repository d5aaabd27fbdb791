// about: Page-locked memory is given to cudaFree.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0613 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaFree(host);  // <- W0613
}
