// Sums and series over ranges.
#pragma once
#include "cpp/iterator.h"
#include "cpp/type_traits.h"

namespace std {

template <class I, class T>
constexpr T accumulate(I first, I last, T sum) {
    for (; first != last; ++first) sum = sum + *first;
    return sum;
}
template <class I, class T, class F>
constexpr T accumulate(I first, I last, T sum, F f) {
    for (; first != last; ++first) sum = f(sum, *first);
    return sum;
}
template <class I, class T>
constexpr T reduce(I first, I last, T sum) {
    return accumulate(first, last, sum);
}
template <class I>
constexpr auto reduce(I first, I last) {
    return accumulate(first, last, decay_t<decltype(*first)>());
}
template <class I, class T, class F>
constexpr T reduce(I first, I last, T sum, F f) {
    return accumulate(first, last, sum, f);
}
template <class I, class T, class F, class G>
constexpr T transform_reduce(I first, I last, T sum, F f, G g) {
    for (; first != last; ++first) sum = f(sum, g(*first));
    return sum;
}
template <class I, class J, class T>
constexpr T inner_product(I first, I last, J second, T sum) {
    for (; first != last; ++first, ++second) sum = sum + *first * *second;
    return sum;
}
template <class I, class T>
constexpr void iota(I first, I last, T value) {
    for (; first != last; ++first, ++value) *first = value;
}
template <class I, class O>
constexpr O partial_sum(I first, I last, O to) {
    if (first == last) return to;
    auto sum = *first;
    *to++ = sum;
    while (++first != last) *to++ = sum = sum + *first;
    return to;
}
template <class I, class O, class F>
constexpr O partial_sum(I first, I last, O to, F f) {
    if (first == last) return to;
    auto sum = *first;
    *to++ = sum;
    while (++first != last) *to++ = sum = f(sum, *first);
    return to;
}
template <class I, class O>
constexpr O adjacent_difference(I first, I last, O to) {
    if (first == last) return to;
    auto before = *first;
    *to++ = before;
    while (++first != last) {
        const auto now = *first;
        *to++ = now - before;
        before = now;
    }
    return to;
}
template <class I, class O, class F>
constexpr O inclusive_scan(I first, I last, O to, F f) {
    return partial_sum(first, last, to, f);
}
template <class I, class O>
constexpr O inclusive_scan(I first, I last, O to) {
    return partial_sum(first, last, to);
}
template <class I, class O, class T>
constexpr O exclusive_scan(I first, I last, O to, T sum) {
    for (; first != last; ++first) {
        const T before = sum;
        sum = sum + *first;
        *to++ = before;
    }
    return to;
}
template <class T>
constexpr T gcd(T a, T b) {
    while (b != 0) {
        const T rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

template <class T>
constexpr T lcm(T a, T b) {
    return a == 0 || b == 0 ? 0 : a / gcd(a, b) * b;
}
template <class T>
constexpr T midpoint(T a, T b) {
    return a + (b - a) / 2;
}

}  // namespace std
