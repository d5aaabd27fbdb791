// Bits of numbers, as C++20 counts them.
#pragma once
#include "cpp/limits.h"
#include "cpp/type_traits.h"

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}
template <class T>
constexpr int popcount(T value) {
    int count = 0;
    for (; value != 0; value = static_cast<T>(value & (value - 1))) ++count;
    return count;
}
template <class T>
constexpr int bit_width(T value) {
    int count = 0;
    for (; value != 0; value = static_cast<T>(value >> 1)) ++count;
    return count;
}
template <class T>
constexpr int countl_zero(T value) {
    return static_cast<int>(8 * sizeof(T)) - bit_width(value);
}
template <class T>
constexpr int countr_zero(T value) {
    return value == 0 ? static_cast<int>(8 * sizeof(T)) : bit_width(static_cast<T>(value & (~value + 1))) - 1;
}
template <class T>
constexpr bool has_single_bit(T value) {
    return popcount(value) == 1;
}
template <class T>
constexpr T bit_ceil(T value) {
    return value <= 1 ? 1 : static_cast<T>(T(1) << bit_width(static_cast<T>(value - 1)));
}
template <class T>
constexpr T bit_floor(T value) {
    return value == 0 ? 0 : static_cast<T>(T(1) << (bit_width(value) - 1));
}

}  // namespace std
