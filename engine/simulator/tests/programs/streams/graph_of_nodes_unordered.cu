// about: Two nodes of a graph use the same bytes, and neither waits for the other.
// output out: i32[32] = any
// finding: W0308 error
// gpu: skip it may go well

#include "workbook.cuh"

__global__ void put(int* out, int value) { out[threadIdx.x] = value; }

void run(int* out) {
    cudaGraph_t graph;
    cudaGraphNode_t first, second;
    cudaGraphCreate(&graph, 0);
    int value = 2;
    void* arguments[] = {&out, &value};
    cudaKernelNodeParams launch = {};
    launch.func = (void*)put, launch.gridDim = dim3(1), launch.blockDim = dim3(32), launch.kernelParams = arguments;
    cudaGraphAddKernelNode(&first, graph, nullptr, 0, &launch);
    value = 3;
    cudaGraphAddKernelNode(&second, graph, nullptr, 0, &launch);
    cudaGraphExec_t ready;
    cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphLaunch(ready, 0);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
}
