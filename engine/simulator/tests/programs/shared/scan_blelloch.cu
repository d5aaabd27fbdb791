// about: An exclusive scan by up-sweep and down-sweep.
// input in: i32[64] = i % 9
// output out: i32[64] = sum(k, 0, i, k % 9)
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void scan(const int* in, int* out) {
    __shared__ int data[64];
    const int i = threadIdx.x;
    data[2 * i] = in[2 * i];
    data[2 * i + 1] = in[2 * i + 1];
    int offset = 1;
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (i < d) data[offset * (2 * i + 2) - 1] += data[offset * (2 * i + 1) - 1];
        offset *= 2;
    }
    if (i == 0) data[63] = 0;
    for (int d = 1; d < 64; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (i < d) {
            const int low = offset * (2 * i + 1) - 1, high = offset * (2 * i + 2) - 1;
            const int kept = data[low];
            data[low] = data[high];
            data[high] += kept;
        }
    }
    __syncthreads();
    out[2 * i] = data[2 * i];
    out[2 * i + 1] = data[2 * i + 1];
}

void run(const int* in, int* out) { scan<<<1, 32>>>(in, out); }
