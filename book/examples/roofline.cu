// about: The same bytes are moved with more and more arithmetic. When does the arithmetic begin to cost time?
// input in: u32[65536] = i * 5
// output out: u32[65536] = in[i]
// int n = 65536
// int one = 1
// int zero = 0
// elements: 65536
// scale: 1024
// grows: n
// columns: instructions, time, speed, limit
// variant ops_0: only move the elements
// variant ops_16: 16 multiply-adds per element
// variant ops_64: 64 multiply-adds per element
// variant ops_256: 256 multiply-adds per element
// cost ops_0: 4.2
// cost ops_16: 20.8
// cost ops_64: 68.8
// cost ops_256: 260.8
#include "workbook.cuh"

constexpr int block_size = 256;

// ANCHOR: kernel
// `a` is 1 and `b` is 0, so the elements stay the same. The compiler does not know that.
template <int ops>
__device__ uint32_t worked(uint32_t x, uint32_t a, uint32_t b) {
#pragma unroll
    for (int k = 0; k < ops; ++k) x = x * a + b;
    return x;
}

template <int ops>
__global__ void kernel(const uint4* in, uint4* out, int quads, uint32_t a, uint32_t b) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quads) return;
    const uint4 x = in[i];  // 16 bytes per thread: four elements
    out[i] = make_uint4(worked<ops>(x.x, a, b), worked<ops>(x.y, a, b), worked<ops>(x.z, a, b),
                        worked<ops>(x.w, a, b));
}
// ANCHOR_END: kernel

template <int ops>
void run(const uint32_t* in, uint32_t* out, int n, int one, int zero) {
    const int quads = n / 4;
    kernel<ops><<<ceil_div(quads, block_size), block_size>>>(
        reinterpret_cast<const uint4*>(in), reinterpret_cast<uint4*>(out), quads, one, zero);
}

void ops_0(const uint32_t* in, uint32_t* out, int n, int one, int zero) { run<0>(in, out, n, one, zero); }
void ops_16(const uint32_t* in, uint32_t* out, int n, int one, int zero) { run<16>(in, out, n, one, zero); }
void ops_64(const uint32_t* in, uint32_t* out, int n, int one, int zero) { run<64>(in, out, n, one, zero); }
void ops_256(const uint32_t* in, uint32_t* out, int n, int one, int zero) {
    run<256>(in, out, n, one, zero);
}
