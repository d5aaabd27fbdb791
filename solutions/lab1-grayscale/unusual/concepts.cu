// why: C++20: concepts, requires, fold expressions, structured bindings, a range for the stride.
// tasks: grayscale
#include <array>
#include <concepts>
#include "workbook.cuh"

template <class T>
concept Channel = std::integral<T> && sizeof(T) == 1;

template <Channel T>
struct Pixel {
    T red, green, blue;
};

template <int... weights>
struct Weighted {
    template <class... Channels>
        requires(sizeof...(Channels) == sizeof...(weights))
    static __device__ constexpr int sum(Channels... channels) {
        return ((weights * channels) + ...);
    }
};

// All numbers below n that are this thread's.
class Strided {
   public:
    struct Place {
        int at, step;
        __device__ int operator*() const { return at; }
        __device__ void operator++() { at += step; }
        __device__ bool operator!=(int end) const { return at < end; }
    };
    __device__ explicit Strided(int n) : n_(n) {}
    __device__ Place begin() const {
        return {static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
                static_cast<int>(gridDim.x * blockDim.x)};
    }
    __device__ int end() const { return n_; }

   private:
    int n_;
};

template <Channel T>
__global__ void grayscale_kernel(const Pixel<T>* __restrict__ rgb, T* __restrict__ gray, int n) {
    for (const int i : Strided(n)) {
        const auto [red, green, blue] = rgb[i];
        gray[i] = (Weighted<30, 59, 11>::sum(red, green, blue) + 50) / 100;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const auto [blocks, threads] = std::array{ceil_div(width * height, 256), 256};
    const auto* pixels = reinterpret_cast<const Pixel<uint8_t>*>(rgb);
    grayscale_kernel<uint8_t><<<blocks, threads>>>(pixels, gray, width * height);
}
