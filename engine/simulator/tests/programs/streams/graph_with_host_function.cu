// about: A captured function of the host runs at each launch of the graph, between the work before it and after it.
// output out: i32[2] = i == 0 ? 21 : 42
// finding: none

#include "workbook.cuh"

__global__ void set(int* value, const int* number) { *value = 10 * *number; }
__global__ void add(int* out, const int* number) { *out += *number; }

struct Job {
    int *number, calls;
};
void count(void* data) {
    Job* job = static_cast<Job*>(data);
    *job->number += ++job->calls;
}

void run(int* out) {
    int *number, *device;
    cudaMalloc(&device, sizeof(int));
    cudaHostAlloc(&number, sizeof(int), cudaHostAllocMapped);
    Job job = {number, 0};
    *number = 2;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    set<<<1, 1, 0, stream>>>(device, number);
    cudaMemcpyAsync(number, device, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, count, &job);
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t ready;
    cudaGraphInstantiate(&ready, graph, 0);
    // 20 and 1, then 210 and 2.
    cudaGraphLaunch(ready, stream);
    cudaStreamSynchronize(stream);
    cudaMemsetAsync(out, 0, 2 * sizeof(int), stream);
    add<<<1, 1, 0, stream>>>(out, number);
    cudaStreamSynchronize(stream);
    const int once = *number;
    *number = once == 21 ? 4 : 0;
    cudaGraphLaunch(ready, stream);
    add<<<1, 1, 0, stream>>>(out + 1, number);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFreeHost(number);
    cudaFree(device);
}
