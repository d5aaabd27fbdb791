// family: pass per channel
// style: bad on purpose: array-language thinking, each term of the formula is a kernel over a float image
// expected bottleneck: memory traffic of the float image that is read and written by each pass
#include "workbook.cuh"

__global__ void begin_sum(float* sum, const uint8_t* channel, int step, float weight, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = weight * channel[(size_t)i * step];
}

__global__ void add_term(float* sum, const uint8_t* channel, int step, float weight, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] += weight * channel[(size_t)i * step];
}

__global__ void scale(float* sum, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] *= factor;
}

__global__ void to_bytes(const float* sum, uint8_t* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (uint8_t)(sum[i] + 0.5f);
}

static void evaluate(const uint8_t* in, int plane, int step, bool darken, uint8_t* out, int n) {
    float* sum;
    WORKBOOK_CHECK(cudaMalloc(&sum, (size_t)n * sizeof(float)));
    int grid = ceil_div(n, 256);
    begin_sum<<<grid, 256>>>(sum, in, step, 0.3f, n);
    add_term<<<grid, 256>>>(sum, in + plane, step, 0.59f, n);
    add_term<<<grid, 256>>>(sum, in + 2 * (size_t)plane, step, 0.11f, n);
    if (darken) scale<<<grid, 256>>>(sum, 0.6f, n);
    to_bytes<<<grid, 256>>>(sum, out, n);
    WORKBOOK_CHECK(cudaFree(sum));
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    evaluate(rgb, 1, 3, false, gray, width * height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    evaluate(planar_rgb, width * height, 1, true, gray, width * height);
}
