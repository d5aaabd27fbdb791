// expect: mismatch histogram
// tasks: histogram
// engine: simulator
// fault: the graph is captured again if the counters lie elsewhere, not if the picture does.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&own[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

static cudaStream_t stream;
static cudaGraphExec_t ready;

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    static uint32_t* captured = nullptr;
    static int size = 0;
    if (captured != bins || size != width * height) {
        if (!stream) cudaStreamCreate(&stream);
        if (ready) cudaGraphExecDestroy(ready);
        cudaGraph_t graph;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        histogram_kernel<<<8, 256, 0, stream>>>(gray, bins, width * height);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&ready, graph, 0);
        cudaGraphDestroy(graph);
        captured = bins;
        size = width * height;
    }
    cudaGraphLaunch(ready, stream);
    cudaStreamSynchronize(stream);
}
