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
template <class I, class Less>
constexpr I min_element(I first, I last, Less less) {
    I least = first;
    for (; first != last; ++first)
        if (less(*first, *least)) least = first;
    return least;
}
template <class I, class Less>
constexpr I max_element(I first, I last, Less less) {
    I most = first;
    for (; first != last; ++first)
        if (less(*most, *first)) most = first;
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
template <class T>
constexpr T* copy(const T* first, const T* last, T* to) {
#ifdef WORKBOOK_HOST
    // At once: the host function is interpreted.
    if constexpr (is_trivially_copyable_v<T>) {
        if (!__builtin_is_constant_evaluated() && last > first) {
            memcpy(to, first, (last - first) * sizeof(T));
            return to + (last - first);
        }
    }
#endif
    for (; first != last; ++first, ++to) *to = *first;
    return to;
}
template <class T>
constexpr T* copy(T* first, T* last, T* to) {
    return copy(static_cast<const T*>(first), static_cast<const T*>(last), to);
}
template <class I, class N, class O>
constexpr O copy_n(I first, N count, O to) {
    return copy(first, first + count, to);
}
template <class I, class O>
constexpr O move(I first, I last, O to) {
    for (; first != last; ++first, ++to) *to = static_cast<remove_reference_t<decltype(*first)>&&>(*first);
    return to;
}
template <class I, class O>
constexpr O copy_backward(I first, I last, O to) {
    while (first != last) *--to = *--last;
    return to;
}
template <class I, class O, class P>
constexpr O copy_if(I first, I last, O to, P p) {
    for (; first != last; ++first)
        if (p(*first)) *to++ = *first;
    return to;
}
template <class I, class N, class F>
constexpr I generate_n(I first, N count, F f) {
    for (; count > 0; --count) *first++ = f();
    return first;
}
template <class I, class N, class F>
constexpr I for_each_n(I first, N count, F f) {
    for (; count > 0; --count, ++first) f(*first);
    return first;
}
template <class I, class P>
constexpr I remove_if(I first, I last, P p) {
    I to = first;
    for (; first != last; ++first)
        if (!p(*first)) *to++ = *first;
    return to;
}
template <class I, class T>
constexpr I remove(I first, I last, const T& value) {
    return remove_if(first, last, [&](const auto& one) { return one == value; });
}
template <class I>
constexpr I unique(I first, I last) {
    if (first == last) return last;
    I to = first;
    while (++first != last)
        if (!(*to == *first)) *++to = *first;
    return ++to;
}
template <class I, class J>
constexpr J swap_ranges(I first, I last, J second) {
    for (; first != last; ++first, ++second) swap(*first, *second);
    return second;
}
template <class I, class J>
constexpr void iter_swap(I a, J b) {
    swap(*a, *b);
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
template <class I, class P>
constexpr I find_if_not(I first, I last, P p) {
    while (first != last && p(*first)) ++first;
    return first;
}
template <class I>
constexpr I adjacent_find(I first, I last) {
    for (I next = first; first != last && ++next != last; ++first)
        if (*first == *next) return first;
    return last;
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
template <class I, class T, class Less>
constexpr I lower_bound(I first, I last, const T& value, Less less) {
    for (auto length = last - first; length > 0;) {
        const auto half = length / 2;
        if (less(first[half], value)) {
            first += half + 1;
            length -= half + 1;
        } else {
            length = half;
        }
    }
    return first;
}
template <class I, class T, class Less>
constexpr I upper_bound(I first, I last, const T& value, Less less) {
    return lower_bound(first, last, value, [&](const auto& one, const T& than) { return !less(than, one); });
}
template <class I, class P>
constexpr I partition_point(I first, I last, P p) {
    return lower_bound(first, last, true, [&](const auto& one, bool) { return p(one); });
}
template <class I, class T>
constexpr pair<I, I> equal_range(I first, I last, const T& value) {
    return {lower_bound(first, last, value), upper_bound(first, last, value)};
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

template <class I, class Less>
constexpr void stable_sort(I first, I last, Less less) {
    for (I at = first; at != last; ++at)
        for (I back = at; back != first && less(*back, *(back - 1)); --back) swap(*back, *(back - 1));
}
template <class I>
constexpr void stable_sort(I first, I last) {
    stable_sort(first, last, [](const auto& a, const auto& b) { return a < b; });
}
template <class I>
constexpr void nth_element(I first, I, I last) {
    sort(first, last);
}
template <class I>
constexpr void partial_sort(I first, I, I last) {
    sort(first, last);
}
template <class I>
constexpr bool is_sorted(I first, I last) {
    for (I next = first; first != last && ++next != last; ++first)
        if (*next < *first) return false;
    return true;
}

// Of a whole container.
namespace ranges {
#define WORKBOOK_RANGE(name)                                                                            \
    template <class R, class... A>                                                                      \
    constexpr decltype(auto) name(R&& range, A&&... more) {                                             \
        return ::std::name(::std::begin(range), ::std::end(range), static_cast<A&&>(more)...);          \
    }
WORKBOOK_RANGE(fill)
WORKBOOK_RANGE(copy)
WORKBOOK_RANGE(for_each)
WORKBOOK_RANGE(transform)
WORKBOOK_RANGE(find)
WORKBOOK_RANGE(find_if)
WORKBOOK_RANGE(count)
WORKBOOK_RANGE(count_if)
WORKBOOK_RANGE(sort)
WORKBOOK_RANGE(reverse)
WORKBOOK_RANGE(max_element)
WORKBOOK_RANGE(min_element)
WORKBOOK_RANGE(any_of)
WORKBOOK_RANGE(all_of)
WORKBOOK_RANGE(none_of)
WORKBOOK_RANGE(lower_bound)
#undef WORKBOOK_RANGE
}  // namespace ranges

}  // namespace std
