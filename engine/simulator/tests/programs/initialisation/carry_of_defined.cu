// about: A carry from defined words, beside a word that nothing wrote and nothing uses.
// output out: u32[2] = {0; 1}
// finding: none

#include "workbook.cuh"

__global__ void add(const unsigned* values, unsigned* out) {
    unsigned low, high, spoilt, rest;
    asm volatile(
        "add.cc.u32 %2, %4, 1;\n\taddc.u32 %3, 0, 0;\n\tadd.cc.u32 %0, %5, 1;\n\taddc.u32 %1, 0, 0;"
        : "=r"(low), "=r"(high), "=r"(spoilt), "=r"(rest)
        : "r"(values[1]), "r"(values[0]));
    out[0] = low;
    out[1] = high;
}

void run(unsigned* out) {
    unsigned* values;
    cudaMalloc(&values, 2 * sizeof(unsigned));
    cudaMemset(values, 0xff, sizeof(unsigned));
    add<<<1, 1>>>(values, out);
    cudaFree(values);
}
