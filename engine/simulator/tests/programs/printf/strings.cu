// about: Strings, characters, percent signs, widths.
// output out: zeroed i32[1] = 0
// printed: [abc] [  abc] [abc  ] [ab] x 100%
// finding: none

#include "workbook.cuh"

__global__ void kernel() {
    printf("[%s] [%5s] [%-5s] [%.2s] %c %d%%\n", "abc", "abc", "abc", "abc", 'x', 100);
}

void run(int* out) { kernel<<<1, 1>>>(); }
