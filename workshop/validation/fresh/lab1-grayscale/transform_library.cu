// family: block-striped transform
// style: header library: a generic tile transform with functors, iterators and a tuning policy
// expected bottleneck: load instructions of one byte; eight independent pixels hide their latency
#include "workbook.cuh"

namespace px {

template <int Threads, int Items>
struct policy {
    static constexpr int threads = Threads;
    static constexpr int items = Items;
    static constexpr int tile = Threads * Items;
};

struct colour {
    float r, g, b;
};

struct interleaved {
    const uint8_t* base;
    __device__ colour operator[](int i) const {
        const uint8_t* p = base + 3 * (size_t)i;
        return {(float)p[0], (float)p[1], (float)p[2]};
    }
};

struct planar {
    const uint8_t* base;
    int plane;
    __device__ colour operator[](int i) const {
        return {(float)base[i], (float)base[plane + i], (float)base[2 * (size_t)plane + i]};
    }
};

struct luma {
    __device__ uint8_t operator()(colour c) const {
        return (uint8_t)(fmaf(0.3f, c.r, fmaf(0.59f, c.g, 0.11f * c.b)) + 0.5f);
    }
};

struct dark_luma {
    __device__ uint8_t operator()(colour c) const {
        return (uint8_t)(fmaf(0.3f, c.r, fmaf(0.59f, c.g, 0.11f * c.b)) * 0.6f + 0.5f);
    }
};

template <class Policy, bool Full, class In, class Op>
__device__ void transform_tile(In in, uint8_t* out, Op op, int begin, int end) {
    colour item[Policy::items];
#pragma unroll
    for (int k = 0; k < Policy::items; ++k) {
        int i = begin + k * Policy::threads + (int)threadIdx.x;
        if (Full || i < end) item[k] = in[i];
    }
#pragma unroll
    for (int k = 0; k < Policy::items; ++k) {
        int i = begin + k * Policy::threads + (int)threadIdx.x;
        if (Full || i < end) out[i] = op(item[k]);
    }
}

template <class Policy, class In, class Op>
__global__ void __launch_bounds__(Policy::threads)
    transform_kernel(In in, uint8_t* out, Op op, int count) {
    int begin = blockIdx.x * Policy::tile;
    if (begin + Policy::tile <= count)
        transform_tile<Policy, true>(in, out, op, begin, count);
    else
        transform_tile<Policy, false>(in, out, op, begin, count);
}

template <class Policy, class In, class Op>
void transform(In in, uint8_t* out, Op op, int count) {
    transform_kernel<Policy>
        <<<ceil_div(count, (int)Policy::tile), Policy::threads>>>(in, out, op, count);
}

}  // namespace px

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    px::transform<px::policy<128, 8>>(px::interleaved{rgb}, gray, px::luma{}, width * height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    px::transform<px::policy<128, 8>>(px::planar{planar_rgb, width * height}, gray,
                                      px::dark_luma{}, width * height);
}
