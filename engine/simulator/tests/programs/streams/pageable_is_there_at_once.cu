// about: An asynchronous copy to pageable memory has arrived when the call returns.
// input in: i32[64] = i
// output out: i32[64] = i * 2
// finding: none

#include "workbook.cuh"

void run(const int* in, int* out) {
    int host[64];
    cudaMemcpyAsync(host, in, sizeof(host), cudaMemcpyDeviceToHost);
    for (int& value : host) value *= 2;
    cudaMemcpyAsync(out, host, sizeof(host), cudaMemcpyHostToDevice);
}
