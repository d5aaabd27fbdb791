// family: 25 loads per pixel
// style: first attempt: one flat thread index, division and modulo, a test for every neighbour, filter in global memory
// expected bottleneck: instructions: bounds tests and address arithmetic of 25 neighbours
#include "workbook.cuh"

__global__ void box(const uint8_t* gray, uint8_t* out, int width, int height) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= width * height) return;
    int x = id % width;
    int y = id / width;
    int sum = 0;
    int count = 0;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
                sum += gray[(y + dy) * width + x + dx];
                count++;
            }
        }
    }
    out[id] = (sum + count / 2) / count;
}

__global__ void triangle(const uint8_t* gray, uint8_t* out, int width, int height) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= width * height) return;
    int x = id % width;
    int y = id / width;
    int sum = 0;
    int weights = 0;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
                int weight = (3 - abs(dx)) * (3 - abs(dy));
                sum += weight * gray[(y + dy) * width + x + dx];
                weights += weight;
            }
        }
    }
    out[id] = (sum + weights / 2) / weights;
}

__global__ void filter(const uint8_t* rgb, uint8_t* out, const int* weights, int divisor, int width,
                       int height) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= width * height) return;
    int x = id % width;
    int y = id / width;
    for (int c = 0; c < 3; c++) {
        if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) {
            out[3 * id + c] = rgb[3 * id + c];
        } else {
            int sum = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++)
                    sum += weights[5 * (dy + 2) + dx + 2] * rgb[3 * ((y + dy) * width + x + dx) + c];
            sum /= divisor;
            if (sum < 0) sum = 0;
            if (sum > 255) sum = 255;
            out[3 * id + c] = sum;
        }
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    box<<<ceil_div(width * height, 128), 128>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    triangle<<<ceil_div(width * height, 128), 128>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* weights;
    cudaMalloc(&weights, 25 * sizeof(int));
    cudaMemcpy(weights, filter25, 25 * sizeof(int), cudaMemcpyHostToDevice);
    filter<<<ceil_div(width * height, 128), 128>>>(rgb, out, weights, divisor, width, height);
    cudaFree(weights);
}
