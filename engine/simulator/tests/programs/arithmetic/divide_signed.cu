// about: Division rounds towards zero, and the remainder has the dividend's sign.
// input a: i32[6] = {7; -7; 7; -7; -2147483647; 2147483647}
// input b: i32[6] = {2; 2; -2; -2; 10; -1}
// output quotient: i32[6] = {3; -3; -3; 3; -214748364; -2147483647}
// output rest: i32[6] = {1; -1; 1; -1; -7; 0}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const int* a, const int* b, int* quotient, int* rest) {
    const int i = threadIdx.x;
    quotient[i] = a[i] / b[i];
    rest[i] = a[i] % b[i];
}

void run(const int* a, const int* b, int* quotient, int* rest) { kernel<<<1, 6>>>(a, b, quotient, rest); }
