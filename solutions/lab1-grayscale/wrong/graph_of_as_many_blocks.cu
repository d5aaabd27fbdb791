// expect: mismatch grayscale
// tasks: grayscale
// engine: simulator
// fault: a graph is kept while the number of blocks and the buffers stay the same, and with it the
// number of pixels: a picture with some pixels more lacks the last ones.
#include "workbook.cuh"

constexpr int block_size = 256;

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

struct Kept {
    cudaGraphExec_t graph;
    const uint8_t* rgb;
    uint8_t* gray;
    int blocks;
};

static Kept kept;

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const int blocks = ceil_div(pixels, block_size);
    if (kept.blocks != blocks || kept.rgb != rgb || kept.gray != gray) {
        if (kept.blocks > 0) WORKBOOK_CHECK(cudaGraphExecDestroy(kept.graph));
        cudaStream_t stream;
        cudaGraph_t graph;
        WORKBOOK_CHECK(cudaStreamCreate(&stream));
        WORKBOOK_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        grayscale_kernel<<<blocks, block_size, 0, stream>>>(rgb, gray, pixels);
        WORKBOOK_CHECK(cudaStreamEndCapture(stream, &graph));
        WORKBOOK_CHECK(cudaGraphInstantiate(&kept.graph, graph, 0));
        WORKBOOK_CHECK(cudaGraphDestroy(graph));
        WORKBOOK_CHECK(cudaStreamDestroy(stream));
        kept = {kept.graph, rgb, gray, blocks};
    }
    WORKBOOK_CHECK(cudaGraphLaunch(kept.graph, 0));
    WORKBOOK_CHECK(cudaDeviceSynchronize());
}
