// about: A graph is built node by node, a child among them, and launched twice; before the second launch a node has other arguments.
// output out: i32[64] = i < 32 ? 16843011 + i : 16842951 + 2 * i
// finding: none

#include "workbook.cuh"

__global__ void add(int* out, int value, int factor) { out[threadIdx.x] += value + factor * threadIdx.x; }

void run(int* out) {
    cudaGraph_t graph, child;
    cudaGraphNode_t fill, first, second, twin, copied;
    cudaGraphCreate(&graph, 0);
    cudaMemsetParams bytes = {};
    bytes.dst = out, bytes.elementSize = 1, bytes.value = 1, bytes.width = 64 * sizeof(int), bytes.height = 1;
    cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &bytes);
    int value = 2, factor = 0;
    int* upper = out + 32;
    void* of_lower[] = {&out, &value, &factor};
    void* of_upper[] = {&upper, &value, &factor};
    cudaKernelNodeParams launch = {};
    launch.func = (void*)add, launch.gridDim = dim3(1), launch.blockDim = dim3(32), launch.kernelParams = of_lower;
    // The arguments are those of now.
    factor = 1;
    cudaGraphAddKernelNode(&first, graph, &fill, 1, &launch);
    launch.kernelParams = of_upper;
    value = 70;
    cudaGraphAddKernelNode(&second, graph, &fill, 1, &launch);
    cudaGraphCreate(&child, 0);
    value = 0, factor = 0;
    cudaGraphAddKernelNode(&twin, child, nullptr, 0, &launch);
    const cudaGraphNode_t both[] = {first, second};
    cudaGraphAddChildGraphNode(&copied, graph, both, 2, child);
    cudaGraphExec_t ready;
    cudaGraphInstantiate(&ready, graph, 0);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraphLaunch(ready, stream);
    value = 6, factor = 2;
    cudaGraphExecKernelNodeSetParams(ready, second, &launch);
    cudaGraphLaunch(ready, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(child);
    cudaGraphDestroy(graph);
}
