// about: A carry that comes out of a sum with a value that nothing wrote decides the next word.
// output out: u32[2] = any
// finding: W0204 error

#include "workbook.cuh"

__global__ void add(const unsigned* values, unsigned* out) {
    unsigned low, high;
    asm volatile("add.cc.u32 %0, %2, 1;\n\taddc.u32 %1, 0, 0;" : "=r"(low), "=r"(high) : "r"(values[1]));
    out[0] = high;  // <- W0204
}

void run(unsigned* out) {
    unsigned* values;
    cudaMalloc(&values, 2 * sizeof(unsigned));
    cudaMemset(values, 0, sizeof(unsigned));
    add<<<1, 1>>>(values, out);
    cudaFree(values);
}
