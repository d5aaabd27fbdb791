// about: Four bytes of a word at once: absolute differences, saturated sums, comparisons.
// input a: u32[2] = {0x01ff80fe; 0x10203040}
// input b: u32[2] = {0x05018003; 0x40302010}
// output difference: u32[2] = {0x04fe00fb; 0x30101030}
// output sum: u32[2] = {0x06ffffff; 0x50505050}
// output largest: u32[2] = {0x05ff80fe; 0x40303040}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* a, const unsigned* b, unsigned* difference, unsigned* sum,
                       unsigned* largest) {
    const int i = threadIdx.x;
    difference[i] = __vabsdiffu4(a[i], b[i]);
    sum[i] = __vaddus4(a[i], b[i]);
    largest[i] = __vmaxu4(a[i], b[i]);
}

void run(const unsigned* a, const unsigned* b, unsigned* difference, unsigned* sum, unsigned* largest) {
    kernel<<<1, 2>>>(a, b, difference, sum, largest);
}
