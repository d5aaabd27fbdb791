// family: host memory
// style: four streams, each a quarter: a kernel writes to device memory, the result goes to pinned memory and back, as when the CPU has to see it
// expected bottleneck: PCIe: every result byte crosses it twice
#include "workbook.cuh"

__global__ void part_gray(const uint8_t* rgb, uint8_t* gray, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        gray[i] = (uint8_t)(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] +
                            0.5f);
}

__global__ void part_dark(const uint8_t* red, uint8_t* gray, int count, int plane) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        gray[i] =
            (uint8_t)((0.3f * red[i] + 0.59f * red[plane + i] + 0.11f * red[2 * plane + i]) * 0.6f +
                      0.5f);
}

static void in_parts(const uint8_t* in, uint8_t* out, int n, bool planar) {
    const int parts = 4, part = ceil_div(n, parts);
    uint8_t *pinned, *work;
    cudaStream_t streams[4];
    WORKBOOK_CHECK(cudaMallocHost(&pinned, n));
    WORKBOOK_CHECK(cudaMalloc(&work, n));
    for (int s = 0; s < parts; s++) WORKBOOK_CHECK(cudaStreamCreate(&streams[s]));
    for (int s = 0; s < parts; s++) {
        const int from = s * part, count = min(part, n - from);
        if (count <= 0) continue;
        if (planar)
            part_dark<<<ceil_div(count, 256), 256, 0, streams[s]>>>(in + from, work + from, count,
                                                                    n);
        else
            part_gray<<<ceil_div(count, 256), 256, 0, streams[s]>>>(in + 3 * from, work + from,
                                                                    count);
        WORKBOOK_CHECK(cudaMemcpyAsync(pinned + from, work + from, count, cudaMemcpyDeviceToHost,
                                       streams[s]));
        WORKBOOK_CHECK(cudaMemcpyAsync(out + from, pinned + from, count, cudaMemcpyHostToDevice,
                                       streams[s]));
    }
    for (int s = 0; s < parts; s++) {
        WORKBOOK_CHECK(cudaStreamSynchronize(streams[s]));
        WORKBOOK_CHECK(cudaStreamDestroy(streams[s]));
    }
    WORKBOOK_CHECK(cudaFree(work));
    WORKBOOK_CHECK(cudaFreeHost(pinned));
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    in_parts(rgb, gray, width * height, false);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    in_parts(planar_rgb, gray, width * height, true);
}
