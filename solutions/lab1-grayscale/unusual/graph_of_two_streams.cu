// why: CUDA graphs: two streams are captured into one, which is launched twice.
// tasks: grayscale
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int first, int end) {
    const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height, half = pixels / 2;
    uint8_t* scratch;
    WORKBOOK_CHECK(cudaMalloc(&scratch, pixels));
    cudaStream_t first, second;
    WORKBOOK_CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    WORKBOOK_CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    cudaEvent_t fork, join;
    WORKBOOK_CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    WORKBOOK_CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

    cudaGraph_t graph;
    WORKBOOK_CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    WORKBOOK_CHECK(cudaMemsetAsync(scratch, 0, pixels, first));
    WORKBOOK_CHECK(cudaEventRecord(fork, first));
    WORKBOOK_CHECK(cudaStreamWaitEvent(second, fork, 0));
    cudaStreamCaptureStatus status;
    WORKBOOK_CHECK(cudaStreamIsCapturing(second, &status));
    if (status == cudaStreamCaptureStatusActive && half > 0) {
        gray_kernel<<<ceil_div(half, 256), 256, 0, second>>>(rgb, scratch, 0, half);
    }
    WORKBOOK_CHECK(cudaEventRecord(join, second));
    gray_kernel<<<ceil_div(pixels - half, 256), 256, 0, first>>>(rgb, scratch, half, pixels);
    WORKBOOK_CHECK(cudaStreamWaitEvent(first, join, 0));
    WORKBOOK_CHECK(cudaMemcpyAsync(gray, scratch, pixels, cudaMemcpyDeviceToDevice, first));
    WORKBOOK_CHECK(cudaStreamEndCapture(first, &graph));

    size_t parts = 0;
    WORKBOOK_CHECK(cudaGraphGetNodes(graph, nullptr, &parts));
    cudaGraphExec_t ready;
    WORKBOOK_CHECK(cudaGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
    for (int i = 0; i < (parts >= 3 ? 2 : 0); ++i) WORKBOOK_CHECK(cudaGraphLaunch(ready, second));
    WORKBOOK_CHECK(cudaStreamSynchronize(second));
    WORKBOOK_CHECK(cudaGraphExecDestroy(ready));
    WORKBOOK_CHECK(cudaGraphDestroy(graph));
    WORKBOOK_CHECK(cudaEventDestroy(fork));
    WORKBOOK_CHECK(cudaEventDestroy(join));
    WORKBOOK_CHECK(cudaStreamDestroy(first));
    WORKBOOK_CHECK(cudaStreamDestroy(second));
    WORKBOOK_CHECK(cudaFree(scratch));
}
