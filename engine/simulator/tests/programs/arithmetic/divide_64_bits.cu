// about: Division of 64-bit integers.
// input a: i64[4] = {1000000000000; -1000000000000; 9223372036854775807; -9223372036854775807}
// input b: i64[4] = {7; 999999; 1000003; 3}
// output out: i64[8] = i < 4 ? a[i] / b[i] : a[i - 4] % b[i - 4]
// finding: none

#include "workbook.cuh"

__global__ void kernel(const long long* a, const long long* b, long long* out) {
    const int i = threadIdx.x;
    out[i] = a[i] / b[i];
    out[4 + i] = a[i] % b[i];
}

void run(const long long* a, const long long* b, long long* out) { kernel<<<1, 4>>>(a, b, out); }
