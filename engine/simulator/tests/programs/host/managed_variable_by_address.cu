// about: Addresses of __managed__ variables, passed to a kernel from the host.
// output out: i32[4] = {30; 21; 12; 3}
// finding: none

#include "workbook.cuh"

struct Pair {
    int a, b;
};
__managed__ Pair pairs[4];
__managed__ int unused;

__global__ void kernel(const Pair* pairs, int* out) {
    const int i = threadIdx.x;
    out[i] = 10 * pairs[i].a + pairs[i].b;
}

void run(int* out) {
    for (int i = 0; i < 4; ++i) pairs[i] = {3 - i, i};
    unused = 4;
    kernel<<<1, 4>>>(pairs, out);
}
