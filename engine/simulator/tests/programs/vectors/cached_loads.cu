// about: Loads that name a cache policy give what plain ones give.
// input in: i32[32] = i * i
// output out: i32[32] = 3 * i * i
// finding: none

#include "workbook.cuh"

__global__ void kernel(const int* in, int* out) {
    const int i = threadIdx.x;
    const int sum = __ldg(in + i) + __ldcg(in + i) + __ldcs(in + i);
    __stcs(out + i, sum);
}

void run(const int* in, int* out) { kernel<<<1, 32>>>(in, out); }
