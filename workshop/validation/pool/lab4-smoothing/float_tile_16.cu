// family: shared tile
// Style: the textbook tile: 16 x 16 threads, floats in shared memory, a second turn for the rim.
// Limit: 25 shared loads and a true division a pixel; 400 elements are loaded for 256 results.
#include "workbook.cuh"

#define TILE 16
#define RIM 2
#define SIDE (TILE + 2 * RIM)

__device__ float at(const uint8_t* image, int x, int y, int c, int channels, int width,
                    int height) {
    if (x < 0 || y < 0 || x >= width || y >= height) return 0.0f;
    return image[(y * width + x) * channels + c];
}

__device__ void load_tile(float tile[SIDE][SIDE], const uint8_t* image, int c, int channels,
                          int width, int height) {
    for (int y = threadIdx.y; y < SIDE; y += TILE)
        for (int x = threadIdx.x; x < SIDE; x += TILE)
            tile[y][x] = at(image, blockIdx.x * TILE + x - RIM, blockIdx.y * TILE + y - RIM, c,
                            channels, width, height);
    __syncthreads();
}

__global__ void mean_kernel(const uint8_t* gray, uint8_t* out, float peak, int width, int height) {
    __shared__ float tile[SIDE][SIDE];
    load_tile(tile, gray, 0, 1, width, height);
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f, total = 0.0f;
    for (int dy = -RIM; dy <= RIM; dy++) {
        for (int dx = -RIM; dx <= RIM; dx++) {
            // A peak of 3 is the triangle; a peak of 1 with its slope cut off is the box.
            const float weight = peak == 1.0f ? 1.0f : (peak - abs(dx)) * (peak - abs(dy));
            const bool exists = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
            sum += weight * tile[threadIdx.y + RIM + dy][threadIdx.x + RIM + dx];
            total += exists ? weight : 0.0f;
        }
    }
    // Whole numbers, and a quotient is at least 1/81 away from the next one if it is not whole.
    out[y * width + x] = (uint8_t)((sum + (int)total / 2) / total);
}

__global__ void color_kernel(const uint8_t* rgb, uint8_t* out, const int* filter, int divisor,
                             int width, int height) {
    __shared__ float tile[SIDE][SIDE];
    __shared__ float weights[25];
    const int thread = threadIdx.y * TILE + threadIdx.x;
    if (thread < 25) weights[thread] = filter[thread];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    const bool border = x < RIM || y < RIM || x >= width - RIM || y >= height - RIM;
    for (int c = 0; c < 3; c++) {
        load_tile(tile, rgb, c, 3, width, height);
        float sum = 0.0f;  // below 2^24: exact
        for (int k = 0; k < 25; k++)
            sum += weights[k] * tile[threadIdx.y + k / 5][threadIdx.x + k % 5];
        const float centre = tile[threadIdx.y + RIM][threadIdx.x + RIM];
        const int result = border ? (int)centre : min(max((int)sum / divisor, 0), 255);
        if (x < width && y < height) out[3 * (y * width + x) + c] = result;
        __syncthreads();  // the tile is used again
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 grid(ceil_div(width, TILE), ceil_div(height, TILE)), block(TILE, TILE);
    mean_kernel<<<grid, block>>>(gray, out, 1.0f, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 grid(ceil_div(width, TILE), ceil_div(height, TILE)), block(TILE, TILE);
    mean_kernel<<<grid, block>>>(gray, out, 3.0f, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter;
    cudaMalloc(&filter, 25 * sizeof(int));
    cudaMemcpy(filter, filter25, 25 * sizeof(int), cudaMemcpyHostToDevice);
    dim3 grid(ceil_div(width, TILE), ceil_div(height, TILE)), block(TILE, TILE);
    color_kernel<<<grid, block>>>(rgb, out, filter, divisor, width, height);
    cudaFree(filter);
}
