// The concepts of C++20 that kernels ask for.
#pragma once
#include "cpp/type_traits.h"

namespace std {

#if __cplusplus >= 202002L
template <class T, class U>
concept same_as = is_same_v<T, U> && is_same_v<U, T>;
template <class T, class U>
concept convertible_to = is_convertible_v<T, U>;
template <class T>
concept integral = is_integral_v<T>;
template <class T>
concept signed_integral = is_integral_v<T> && is_signed_v<T>;
template <class T>
concept unsigned_integral = is_integral_v<T> && is_unsigned_v<T>;
template <class T>
concept floating_point = is_floating_point_v<T>;
template <class F, class... A>
concept invocable = requires(F&& f, A&&... a) { static_cast<F&&>(f)(static_cast<A&&>(a)...); };
template <class F, class... A>
concept regular_invocable = invocable<F, A...>;
#endif

}  // namespace std
