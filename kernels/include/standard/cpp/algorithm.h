// Algorithms on ranges: plain loops, for host functions and kernels.
#pragma once
#include "cpp/iterator.h"
#include "cpp/utility.h"

namespace std {

template <class T, class Less>
constexpr const T& min(const T& a, const T& b, Less less) {
    return less(b, a) ? b : a;
}
template <class T, class Less>
constexpr const T& max(const T& a, const T& b, Less less) {
    return less(a, b) ? b : a;
}
template <class T>
constexpr T min(initializer_list<T> list) {
    T least = *list.begin();
    for (const T& value : list) least = value < least ? value : least;
    return least;
}
template <class T>
constexpr T max(initializer_list<T> list) {
    T most = *list.begin();
    for (const T& value : list) most = most < value ? value : most;
    return most;
}
template <class T>
constexpr pair<T, T> minmax(const T& a, const T& b) {
    return b < a ? pair<T, T>(b, a) : pair<T, T>(a, b);
}
template <class I>
constexpr I min_element(I first, I last) {
    I least = first;
    for (; first != last; ++first)
        if (*first < *least) least = first;
    return least;
}
template <class I>
constexpr I max_element(I first, I last) {
    I most = first;
    for (; first != last; ++first)
        if (*most < *first) most = first;
    return most;
}
template <class I>
constexpr pair<I, I> minmax_element(I first, I last) {
    return {min_element(first, last), max_element(first, last)};
}

template <class I, class T>
constexpr void fill(I first, I last, const T& value) {
    for (; first != last; ++first) *first = value;
}
template <class I, class N, class T>
constexpr I fill_n(I first, N count, const T& value) {
    for (; count > 0; --count) *first++ = value;
    return first;
}
template <class I, class F>
constexpr void generate(I first, I last, F f) {
    for (; first != last; ++first) *first = f();
}
template <class I, class O>
constexpr O copy(I first, I last, O to) {
    for (; first != last; ++first, ++to) *to = *first;
    return to;
}
template <class I, class N, class O>
constexpr O copy_n(I first, N count, O to) {
    for (; count > 0; --count, ++first, ++to) *to = *first;
    return to;
}
template <class I, class F>
constexpr F for_each(I first, I last, F f) {
    for (; first != last; ++first) f(*first);
    return f;
}
template <class I, class O, class F>
constexpr O transform(I first, I last, O to, F f) {
    for (; first != last; ++first, ++to) *to = f(*first);
    return to;
}
template <class I, class J, class O, class F>
constexpr O transform(I first, I last, J second, O to, F f) {
    for (; first != last; ++first, ++second, ++to) *to = f(*first, *second);
    return to;
}
template <class I, class T>
constexpr void replace(I first, I last, const T& from, const T& to) {
    for (; first != last; ++first)
        if (*first == from) *first = to;
}
template <class I>
constexpr void reverse(I first, I last) {
    while (first != last && first != --last) swap(*first++, *last);
}

template <class I, class T>
constexpr I find(I first, I last, const T& value) {
    while (first != last && !(*first == value)) ++first;
    return first;
}
template <class I, class P>
constexpr I find_if(I first, I last, P p) {
    while (first != last && !p(*first)) ++first;
    return first;
}
template <class I, class T>
constexpr ptrdiff_t count(I first, I last, const T& value) {
    ptrdiff_t n = 0;
    for (; first != last; ++first) n += *first == value ? 1 : 0;
    return n;
}
template <class I, class P>
constexpr ptrdiff_t count_if(I first, I last, P p) {
    ptrdiff_t n = 0;
    for (; first != last; ++first) n += p(*first) ? 1 : 0;
    return n;
}
template <class I, class P>
constexpr bool any_of(I first, I last, P p) {
    return find_if(first, last, p) != last;
}
template <class I, class P>
constexpr bool none_of(I first, I last, P p) {
    return find_if(first, last, p) == last;
}
template <class I, class P>
constexpr bool all_of(I first, I last, P p) {
    for (; first != last; ++first)
        if (!p(*first)) return false;
    return true;
}
template <class I, class J>
constexpr bool equal(I first, I last, J second) {
    for (; first != last; ++first, ++second)
        if (!(*first == *second)) return false;
    return true;
}

template <class I, class T>
constexpr I lower_bound(I first, I last, const T& value) {
    for (auto length = last - first; length > 0;) {
        const auto half = length / 2;
        if (first[half] < value) {
            first += half + 1;
            length -= half + 1;
        } else {
            length = half;
        }
    }
    return first;
}
template <class I, class T>
constexpr I upper_bound(I first, I last, const T& value) {
    for (auto length = last - first; length > 0;) {
        const auto half = length / 2;
        if (value < first[half]) {
            length = half;
        } else {
            first += half + 1;
            length -= half + 1;
        }
    }
    return first;
}
template <class I, class T>
constexpr bool binary_search(I first, I last, const T& value) {
    const I at = lower_bound(first, last, value);
    return at != last && !(value < *at);
}

// Heap sort: no recursion, no memory.
template <class I, class Less>
constexpr void sort(I first, I last, Less less) {
    const auto size = last - first;
    auto sink = [&](auto at, auto end) {
        for (auto child = 2 * at + 1; child < end; at = child, child = 2 * at + 1) {
            if (child + 1 < end && less(first[child], first[child + 1])) ++child;
            if (!less(first[at], first[child])) return;
            swap(first[at], first[child]);
        }
    };
    for (auto at = size / 2; at > 0; --at) sink(at - 1, size);
    for (auto end = size; end > 1; --end) {
        swap(first[0], first[end - 1]);
        sink(decltype(size)(0), end - 1);
    }
}
template <class I>
constexpr void sort(I first, I last) {
    sort(first, last, [](const auto& a, const auto& b) { return a < b; });
}

}  // namespace std
