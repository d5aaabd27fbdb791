// about: 64 bytes are copied back where 64 counters were meant, and the host decides by all of them.
// output out: i32[1] = any
// finding: W0202 error
// finding: W0207 error

#include "workbook.cuh"

__global__ void count(int* bins) { bins[threadIdx.x] = threadIdx.x; }

__global__ void store(int* out, int value) { out[0] = value; }

void run(int* out) {
    int* bins = nullptr;
    cudaMalloc(&bins, 64 * sizeof(int));
    count<<<1, 64>>>(bins);
    int counts[64];
    cudaMemcpy(counts, bins, 64, cudaMemcpyDeviceToHost);
    int most = 0;
    for (int v = 0; v < 64; ++v) {
        if (counts[v] > counts[most]) {  // <- W0202
            most = v;
        }
    }
    store<<<1, 1>>>(out, most);  // <- W0207
    cudaFree(bins);
}
