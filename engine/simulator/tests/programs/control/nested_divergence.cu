// about: Branches in branches, each taken by other lanes, and the lanes back together at the end.
// output out: i32[32] = i % 2 ? (i % 3 ? i * 3 : -i) : i < 16 ? i + 100 : i + 200
// finding: none

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int i = threadIdx.x;
    int r;
    if (i % 2) {
        if (i % 3)
            r = i * 3;
        else
            r = -i;
    } else {
        r = i < 16 ? i + 100 : i + 200;
    }
    out[i] = r;
}

void run(int* out) { kernel<<<1, 32>>>(out); }
