// about: The host asks once whether an event has happened, and reads the copy whatever the answer.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0620 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host;
    cudaMallocHost(&host, 64 * sizeof(int));
    cudaEvent_t there;
    cudaEventCreate(&there);
    cudaMemcpyAsync(host, in, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaEventRecord(there);
    cudaEventQuery(there);
    const int last = host[63];  // <- W0620
    cudaMemset(out, last, 64 * sizeof(int));
    cudaEventDestroy(there);
    cudaFreeHost(host);
}
