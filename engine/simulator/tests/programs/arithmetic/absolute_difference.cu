// about: Sums of absolute differences, signed and unsigned, and saturating averages.
// input a: i32[4] = {5; -5; 2147483647; 0}
// input b: i32[4] = {9; 5; 2147483646; -1}
// output sad: u32[4] = {104; 110; 101; 101}
// output usad: u32[4] = {104; u32(0xfffffffb - 5 + 100); 101; u32(0xffffffff + 100)}
// output average: i32[4] = {7; 0; 2147483646; -1}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const int* a, const int* b, unsigned* sad, unsigned* usad, int* average) {
    const int i = threadIdx.x;
    sad[i] = __sad(a[i], b[i], 100u);
    usad[i] = __usad(a[i], b[i], 100u);
    average[i] = __hadd(a[i], b[i]);
}

void run(const int* a, const int* b, unsigned* sad, unsigned* usad, int* average) {
    kernel<<<1, 4>>>(a, b, sad, usad, average);
}
