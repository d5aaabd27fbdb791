// `nvcuda::wmma`: products of 16x16 matrices of half precision (sum in float or half) or of bytes (sum in int), a warp at a time. Here
// ordinary instructions compute them, on both engines, so that they are right but not fast. The names are those of NVIDIA's header of
// this name, which nvcc uses instead.
//
// Left out, so that using them is the compiler's own error: other shapes, tf32, double, bits.
#pragma once

#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

// Lane l holds the elements 32 i + l of the matrix, row after row, as its element i.
template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
    static_assert(m == 16 && n == 16 && k == 16, "here matrices have 16 rows and 16 columns");
    enum { num_elements = 8 };
    using element_type = T;
    T x[num_elements];
};

namespace detail {

__forceinline__ __device__ unsigned lane() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__forceinline__ __device__ unsigned place(unsigned element, unsigned stride, bool by_rows) {
    const unsigned at = 32 * element + lane(), row = at / 16, column = at % 16;
    return by_rows ? row * stride + column : column * stride + row;
}
template <class T>
struct is_row_major {
    static constexpr bool value = false;
};
template <>
struct is_row_major<row_major> {
    static constexpr bool value = true;
};
__forceinline__ __device__ float number(__half value) { return __half2float(value); }
__forceinline__ __device__ int number(signed char value) { return value; }
__forceinline__ __device__ int number(unsigned char value) { return value; }
template <class T, class V>
__forceinline__ __device__ T of(V value) {
    return static_cast<T>(value);
}

}  // namespace detail

template <class Use, class T, class Layout>
__forceinline__ __device__ void fill_fragment(fragment<Use, 16, 16, 16, T, Layout>& to, T value) {
    for (int i = 0; i < 8; ++i) to.x[i] = value;
}
template <class Use, class T, class Layout>
__forceinline__ __device__ void load_matrix_sync(fragment<Use, 16, 16, 16, T, Layout>& to, const T* from,
                                                 unsigned stride) {
    __syncwarp();
    for (int i = 0; i < 8; ++i) to.x[i] = from[detail::place(i, stride, detail::is_row_major<Layout>::value)];
    __syncwarp();
}
template <class T>
__forceinline__ __device__ void load_matrix_sync(fragment<accumulator, 16, 16, 16, T>& to, const T* from,
                                                 unsigned stride, layout_t layout) {
    __syncwarp();
    for (int i = 0; i < 8; ++i) to.x[i] = from[detail::place(i, stride, layout == mem_row_major)];
    __syncwarp();
}
template <class T>
__forceinline__ __device__ void store_matrix_sync(T* to, const fragment<accumulator, 16, 16, 16, T>& from,
                                                  unsigned stride, layout_t layout) {
    __syncwarp();
    for (int i = 0; i < 8; ++i) to[detail::place(i, stride, layout == mem_row_major)] = from.x[i];
    __syncwarp();
}

// d = a b + c. Lane l has the rows l / 16, 2 + l / 16, ... of column l % 16 of d: the elements of a row of a lie in one register of
// the 16 lanes of that half of the warp, and those of a column of b in the registers of two lanes.
template <class C, class T, class LayoutA, class LayoutB, class D>
__forceinline__ __device__ void mma_sync(fragment<accumulator, 16, 16, 16, D>& d,
                                         const fragment<matrix_a, 16, 16, 16, T, LayoutA>& a,
                                         const fragment<matrix_b, 16, 16, 16, T, LayoutB>& b,
                                         const fragment<accumulator, 16, 16, 16, C>& c) {
    using Number = decltype(detail::number(T()));
    const unsigned lane = detail::lane(), half = lane & 16, column = lane & 15;
    Number sums[8], left[8], right[8];
    for (int i = 0; i < 8; ++i) {
        sums[i] = detail::of<Number>(c.x[i]);
        left[i] = detail::number(a.x[i]);
        right[i] = detail::number(b.x[i]);
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        const Number of_b = __shfl_sync(0xffffffffu, right[k / 2], (k % 2) * 16 + column);
#pragma unroll
        for (int i = 0; i < 8; ++i) sums[i] += __shfl_sync(0xffffffffu, left[i], k + half) * of_b;
    }
    for (int i = 0; i < 8; ++i) d.x[i] = detail::of<D>(sums[i]);
}

}  // namespace wmma
}  // namespace nvcuda
