// expect: mismatch grayscale
// tasks: grayscale
// engine: simulator
// fault: the graph keeps the pointers and the size of the first picture, and is launched for every
//        later one.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    static cudaGraphExec_t ready = nullptr;
    cudaStream_t stream;
    WORKBOOK_CHECK(cudaStreamCreate(&stream));
    if (!ready) {
        cudaGraph_t graph;
        WORKBOOK_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        gray_kernel<<<ceil_div(pixels, 256), 256, 0, stream>>>(rgb, gray, pixels);
        WORKBOOK_CHECK(cudaStreamEndCapture(stream, &graph));
        WORKBOOK_CHECK(cudaGraphInstantiate(&ready, graph, 0));
        WORKBOOK_CHECK(cudaGraphDestroy(graph));
    }
    WORKBOOK_CHECK(cudaGraphLaunch(ready, stream));
    WORKBOOK_CHECK(cudaStreamSynchronize(stream));
    WORKBOOK_CHECK(cudaStreamDestroy(stream));
}
