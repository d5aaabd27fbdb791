// family: generic stencil
// style: header library: views with border policies, stencil functors and finishers, one kernel for everything
// expected bottleneck: instructions: clamped coordinates for each of the 25 loads
#include "workbook.cuh"

namespace stencil {

struct extent {
    int width, height;
};

template <int Channels>
struct image_view {
    const uint8_t* data;
    extent size;
    __device__ int fetch(int x, int y, int c) const {
        return __ldg(data + ((size_t)y * size.width + x) * Channels + c);
    }
};

struct zero_outside {
    template <int Channels>
    __device__ static int load(const image_view<Channels>& v, int x, int y, int c, bool& exists) {
        exists = (unsigned)x < (unsigned)v.size.width && (unsigned)y < (unsigned)v.size.height;
        int cx = min(max(x, 0), v.size.width - 1), cy = min(max(y, 0), v.size.height - 1);
        int level = v.fetch(cx, cy, c);
        return exists ? level : 0;
    }
};

struct flat_weights {
    __device__ int operator()(int, int) const { return 1; }
};

struct tent_weights {
    __device__ int operator()(int dx, int dy) const {
        return (3 - (dx < 0 ? -dx : dx)) * (3 - (dy < 0 ? -dy : dy));
    }
};

struct given_weights {
    int w[25];
    __device__ int operator()(int dx, int dy) const { return w[5 * (dy + 2) + dx + 2]; }
};

struct normalize {
    __device__ uint8_t operator()(int sum, int weight, int, bool) const {
        return (uint8_t)__fdiv_rd((float)(sum + weight / 2), (float)weight);
    }
};

struct divide_and_clamp {
    int divisor;
    __device__ uint8_t operator()(int sum, int, int centre, bool complete) const {
        return complete ? (uint8_t)min(255, max(0, sum / divisor)) : (uint8_t)centre;
    }
};

template <int Radius, int Channels, class Border, class Weights, class Finish>
__global__ void apply(image_view<Channels> in, uint8_t* out, Weights weights, Finish finish) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.size.width || y >= in.size.height) return;
#pragma unroll
    for (int c = 0; c < Channels; ++c) {
        int sum = 0, weight = 0;
        bool complete = true;
#pragma unroll
        for (int dy = -Radius; dy <= Radius; ++dy) {
#pragma unroll
            for (int dx = -Radius; dx <= Radius; ++dx) {
                bool exists;
                const int level = Border::load(in, x + dx, y + dy, c, exists);
                sum += weights(dx, dy) * level;
                weight += exists ? weights(dx, dy) : 0;
                complete = complete && exists;
            }
        }
        out[((size_t)y * in.size.width + x) * Channels + c] =
            finish(sum, weight, in.fetch(x, y, c), complete);
    }
}

template <int Channels, class Weights, class Finish>
void run(const uint8_t* in, uint8_t* out, extent size, Weights weights, Finish finish) {
    const dim3 block(64, 4);
    const dim3 grid(ceil_div(size.width, 64), ceil_div(size.height, 4));
    apply<2, Channels, zero_outside>
        <<<grid, block>>>(image_view<Channels>{in, size}, out, weights, finish);
}

}  // namespace stencil

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    stencil::run<1>(gray, out, {width, height}, stencil::flat_weights{}, stencil::normalize{});
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    stencil::run<1>(gray, out, {width, height}, stencil::tent_weights{}, stencil::normalize{});
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    stencil::given_weights weights;
    for (int k = 0; k < 25; ++k) weights.w[k] = filter25[k];
    stencil::run<3>(rgb, out, {width, height}, weights, stencil::divide_and_clamp{divisor});
}
