// lab1 grayscale: a for-each library: functor over a counting range, items by block of 1024, four a thread
// Limit: bytes, with a guard for each of four items
#include "workbook.cuh"

template <typename Body>
__global__ void __launch_bounds__(256) for_each_kernel(int count, Body body) {
    int base = blockIdx.x * 1024 + threadIdx.x;
    if (base - (int)threadIdx.x + 1024 <= count) {
#pragma unroll
        for (int k = 0; k < 4; k++) body(base + k * 256);
    } else {
        for (int k = 0; k < 4; k++)
            if (base + k * 256 < count) body(base + k * 256);
    }
}

struct Luma {
    const uchar3* in;
    uint8_t* out;
    __device__ void operator()(int i) const {
        uchar3 p = in[i];
        out[i] = (uint8_t)fminf(255.f, 0.3f * p.x + 0.59f * p.y + 0.11f * p.z + 0.5f);
    }
};

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    Luma body{reinterpret_cast<const uchar3*>(rgb), gray};
    for_each_kernel<<<ceil_div(width * height, 1024), 256>>>(width * height, body);
}
