// family: registers
// style: a thread copies 24 pixels into a private array and visits them in an order the compiler cannot know
// expected bottleneck: local memory: the array is indexed at run time and lives outside the registers
#include "workbook.cuh"

constexpr int per_thread = 24;

__global__ void spilled(const uint8_t* in, uint8_t* out, int pixels, int step, bool planar) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
    float sums[per_thread];
    for (int k = 0; k < per_thread; k++) {
        const int i = first + k;
        float sum = 0.0f;
        if (i < pixels) {
            const int at = planar ? i : 3 * i, next = planar ? pixels : 1;
            sum = 0.3f * in[at] + 0.59f * in[at + next] + 0.11f * in[at + 2 * next];
        }
        sums[(k * step) % per_thread] = planar ? sum * 0.6f + 0.5f : sum + 0.5f;
    }
    for (int k = 0; k < per_thread; k++)
        if (first + k < pixels) out[first + k] = (uint8_t)sums[(k * step) % per_thread];
}

static void go(const uint8_t* in, uint8_t* out, int pixels, bool planar) {
    const int threads = (pixels + per_thread - 1) / per_thread;
    // 7 and 24 have no common divisor: every element is written once.
    spilled<<<(threads + 127) / 128, 128>>>(in, out, pixels, 7, planar);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    go(rgb, gray, width * height, false);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    go(planar_rgb, gray, width * height, true);
}
