// about: The time between two events is asked for before the second is known to be reached.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0620 error

#include "workbook.cuh"

void run(const int* in, int* out) {
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    cudaMemcpyAsync(out, in, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaEventRecord(stop);
    float milliseconds;
    cudaEventElapsedTime(&milliseconds, start, stop);  // <- W0620
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
}
