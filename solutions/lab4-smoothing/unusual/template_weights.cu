// why: weights are constants of a type, and the row is unrolled by a fold expression.
// tasks: smooth_box, smooth_triangular
#include <cmath>
#include <type_traits>
#include <utility>
#include "workbook.cuh"

struct Box {
    template <int d>
    static constexpr int at = 1;
};
struct Triangle {
    template <int d>
    static constexpr int at = 3 - (d < 0 ? -d : d);
};

template <class Weights, int... i>
__device__ int2 row_sum(const uint8_t* row, int x, int width, std::integer_sequence<int, i...>) {
    int2 sum = {0, 0};
    ((x + i - 2 >= 0 && x + i - 2 < width
          ? (sum.x += Weights::template at<i - 2> * row[x + i - 2],
             sum.y += Weights::template at<i - 2>)
          : 0),
     ...);
    return sum;
}

template <class Weights>
__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height, Weights) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int vertical[5] = {Weights::template at<-2>, Weights::template at<-1>,
                             Weights::template at<0>, Weights::template at<1>,
                             Weights::template at<2>};
    int2 sum = {0, 0};
    for (int j = -2; j <= 2; ++j) {
        if (y + j < 0 || y + j >= height) continue;
        const int2 row = row_sum<Weights>(gray + (y + j) * width, x, width,
                                          std::make_integer_sequence<int, 5>());
        sum.x += vertical[j + 2] * row.x;
        sum.y += vertical[j + 2] * row.y;
    }
    out[y * width + x] = (sum.x + sum.y / 2) / sum.y;
}

template <class Weights>
void smooth(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(64, 4), grid(ceil_div(width, 64), ceil_div(height, 4));
    smooth_kernel<<<grid, block>>>(gray, out, width, height, Weights{});
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<Box>(gray, out, width, height);
}
void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<Triangle>(gray, out, width, height);
}
