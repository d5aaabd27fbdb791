// lab1 grayscale_darken: weights already times 0.6 in a struct among the arguments, 128 threads
// Limit: loads and stores of one byte
#include "workbook.cuh"

__global__ void mix(const uint8_t* r, const uint8_t* g, const uint8_t* b, uint8_t* o, float3 w, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) o[i] = (uint8_t)((w.x * r[i] + w.y * g[i] + w.z * b[i]) * 0.6f + 0.5f);
}

void grayscale_darken(const uint8_t* p, uint8_t* gray, int width, int height) {
    int n = width * height;
    mix<<<ceil_div(n, 128), 128>>>(p, p + n, p + 2 * n, gray, make_float3(0.3f, 0.59f, 0.11f), n);
}
