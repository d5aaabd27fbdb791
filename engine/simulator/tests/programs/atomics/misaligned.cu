// about: An atomic on a word that is not aligned.
// output out: zeroed u8[8] = any
// finding: W0102 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void add(uint8_t* out) {
    atomicAdd((unsigned*)(out + 1), 1u);  // <- W0102
}

void run(uint8_t* out) { add<<<1, 1>>>(out); }
