// about: Integers in all forms.
// output out: zeroed i32[1] = 0
// printed: -5|    7|0042|  -3|ff|FF|0x1f|17
// printed: 4000000000 -9000000000 18446744073709551615
// finding: none

#include "workbook.cuh"

__global__ void kernel() {
    printf("%d|%5d|%04d|%4i|%x|%X|%#x|%o\n", -5, 7, 42, -3, 255, 255, 31, 15);
    printf("%u %lld %llu\n", 4000000000u, -9000000000ll, ~0ull);
}

void run(int* out) { kernel<<<1, 1>>>(); }
