// about: An inclusive scan with two buffers that take turns: one barrier a step.
// input in: i32[128] = i % 5
// output out: i32[128] = sum(k, 0, i + 1, k % 5)
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void scan(const int* in, int* out) {
    __shared__ int buffer[2][128];
    const int i = threadIdx.x;
    int from = 0;
    buffer[from][i] = in[i];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        const int value = buffer[from][i] + (i >= step ? buffer[from][i - step] : 0);
        from ^= 1;
        buffer[from][i] = value;
        __syncthreads();
    }
    out[i] = buffer[from][i];
}

void run(const int* in, int* out) { scan<<<1, 128>>>(in, out); }
