// why: the place of a member of a struct, by `offsetof`, in the host function and in a constant.
// tasks: grayscale
#include "workbook.cuh"

struct Weights {
    int red, green, blue;
    float unused[3];
    short total;
};
static_assert(offsetof(Weights, green) == 4 && offsetof(Weights, unused) == 12, "in order");

__constant__ Weights weights;

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int total = weights.total;
    const uint8_t* p = rgb + 3 * i;
    gray[i] = (weights.red * p[0] + weights.green * p[1] + weights.blue * p[2] + total / 2) / total;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height, values[] = {30, 59, 11};
    const short total = 100;
    WORKBOOK_CHECK(cudaMemcpyToSymbol(weights, values, sizeof values, offsetof(Weights, red)));
    WORKBOOK_CHECK(cudaMemcpyToSymbol(weights, &total, sizeof total, offsetof(Weights, total)));
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
