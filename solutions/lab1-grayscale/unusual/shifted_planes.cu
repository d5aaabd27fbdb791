// why: words of planes that begin at any byte, put together by a funnel shift of aligned ones.
// tasks: grayscale_darken
#include "workbook.cuh"

// Four bytes at any address; the aligned words around them lie in the buffer.
__device__ uint32_t word_at(const uint8_t* p) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(p);
    const uint32_t* word = reinterpret_cast<const uint32_t*>(address & ~uintptr_t(3));
    const int shift = (address & 3) * 8;
    return shift ? __funnelshift_r(word[0], word[1], shift) : word[0];
}

__device__ uint8_t dark(float r, float g, float b) {
    return static_cast<uint8_t>((0.3f * r + 0.59f * g + 0.11f * b) * 0.6f + 0.5f);
}

__global__ void darken(const uint8_t* planes, uint8_t* gray, int n) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const uint8_t *red = planes, *green = planes + n, *blue = planes + 2 * n;
    if (i + 8 <= n) {
        const uint32_t r = word_at(red + i), g = word_at(green + i), b = word_at(blue + i);
        uint32_t out = 0;
        for (int s = 0; s < 32; s += 8)
            out |= uint32_t(dark(r >> s & 255, g >> s & 255, b >> s & 255)) << s;
        *reinterpret_cast<uint32_t*>(gray + i) = out;
        return;
    }
    for (const int end = min(i + 4, n); i < end; ++i) gray[i] = dark(red[i], green[i], blue[i]);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    darken<<<ceil_div(ceil_div(n, 4), 256), 256>>>(planar_rgb, gray, n);
}
