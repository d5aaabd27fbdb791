// why: a static constant of the host function gets its value from a call; a static object, too.
// tasks: grayscale
#include "workbook.cuh"

static int multiprocessors() {
    int count = 1;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    return count;
}

class Queue {
public:
    Queue() { cudaStreamCreate(&stream); }
    cudaStream_t stream;
};

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    static const int blocks = 4 * multiprocessors();
    static Queue queue;
    to_gray<<<blocks, 256, 0, queue.stream>>>(rgb, gray, width * height);
    cudaStreamSynchronize(queue.stream);
}
