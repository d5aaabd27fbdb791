// about: An inclusive scan by shuffles upward; lanes without a partner keep their value.
// input in: i32[32] = i % 4 + 1
// output out: i32[32] = sum(k, 0, i + 1, k % 4 + 1)
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void scan(const int* in, int* out) {
    const int lane = threadIdx.x;
    int sum = in[lane];
    for (int step = 1; step < 32; step *= 2) {
        const int left = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step) sum += left;
    }
    out[lane] = sum;
}

void run(const int* in, int* out) { scan<<<1, 32>>>(in, out); }
