// Divisions that round up, for grids.
#pragma once
#include "cpp/type_traits.h"
#include "cuda/std.h"

namespace cuda {

template <class T, class U>
constexpr ::std::common_type_t<T, U> ceil_div(T a, U b) {
    return a / b + (a % b != 0 ? 1 : 0);
}
template <class T, class U>
constexpr ::std::common_type_t<T, U> round_up(T a, U b) {
    return ceil_div(a, b) * b;
}
template <class T, class U>
constexpr ::std::common_type_t<T, U> round_down(T a, U b) {
    return a / b * b;
}

}  // namespace cuda
