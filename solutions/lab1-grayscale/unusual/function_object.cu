// why: a library style: the kernel is a template over a function object.
// tasks: grayscale
#include <functional>
#include <type_traits>
#include <utility>
#include "workbook.cuh"

struct ToGray {
    int red, green, blue;
    __host__ __device__ uint8_t operator()(uchar3 p) const {
        return static_cast<uint8_t>((red * p.x + green * p.y + blue * p.z + 50) / 100);
    }
};

template <typename F, typename In, typename Out>
__global__ void for_each_pixel(F f, const In* in, Out* out, size_t n) {
    static_assert(std::is_same<decltype(f(in[0])), Out>::value, "the operation gives a pixel");
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
         i += size_t(gridDim.x) * blockDim.x)
        out[i] = f(in[i]);
}

template <typename F, typename In, typename Out>
void transform(F&& f, const In* in, Out* out, size_t n) {
    const unsigned blocks = std::min<size_t>(ceil_div(n, size_t(256)), 264);
    for_each_pixel<<<blocks, 256>>>(std::forward<F>(f), in, out, n);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    transform(ToGray{30, 59, 11}, reinterpret_cast<const uchar3*>(rgb), gray,
              static_cast<size_t>(width) * height);
}
