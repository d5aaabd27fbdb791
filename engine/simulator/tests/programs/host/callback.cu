// about: cudaLaunchHostFunc calls a host function after the work in the stream before it.
// output out: i32[1] = 12
// finding: none

#include "workbook.cuh"

__global__ void set(int* value, int to) { *value = to; }

struct Job {
    int *from, result;
};
void add_five(void* data) {
    Job* job = static_cast<Job*>(data);
    job->result = *job->from + 5;
}

void run(int* out) {
    Job job = {nullptr, 0};
    cudaMallocManaged(&job.from, sizeof(int));
    set<<<1, 1>>>(job.from, 7);
    cudaLaunchHostFunc(0, add_five, &job);
    cudaDeviceSynchronize();
    set<<<1, 1>>>(out, job.result);
    cudaFree(job.from);
}
