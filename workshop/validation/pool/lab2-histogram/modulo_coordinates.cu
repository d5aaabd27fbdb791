// family: integer division
// style: coordinates by division and modulo of a linear index, and the level split by / 10 and % 10 into decimal drawers
// expected bottleneck: instructions of divisions by numbers known only at run time
#include "workbook.cuh"

template <bool color>
__global__ void drawers(const uint8_t* in, uint8_t* gray, uint32_t* bins, int width, int height,
                        int per_thread, int ten) {
    __shared__ uint32_t drawer[26][10];
    for (int k = threadIdx.x; k < 260; k += blockDim.x) drawer[k / ten][k % ten] = 0;
    __syncthreads();
    const int threads = gridDim.x * blockDim.x;
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < per_thread; k++) {
        const int linear = me + k * threads;
        const int x = linear % width, y = linear / width;
        if (y >= height) continue;
        const int p = y * width + x;
        int v = 0;
        if (color) {
            v = (30 * in[3 * p] + 59 * in[3 * p + 1] + 11 * in[3 * p + 2] + 50) / (ten * ten);
            gray[p] = v;
        } else {
            v = in[p];
        }
        atomicAdd(&drawer[v / ten][v % ten], 1u);
    }
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x)
        if (drawer[v / ten][v % ten]) atomicAdd(&bins[v], drawer[v / ten][v % ten]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int per_thread = 40;
    drawers<false><<<ceil_div(width * height, 192 * per_thread), 192>>>(gray, nullptr, bins, width,
                                                                        height, per_thread, 10);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int per_thread = 40;
    drawers<true><<<ceil_div(width * height, 192 * per_thread), 192>>>(rgb, gray, bins, width,
                                                                       height, per_thread, 10);
}
