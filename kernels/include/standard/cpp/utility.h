// Pairs, sequences of indices. std::move and std::forward are the compiler's own.
#pragma once
#include "cpp/type_traits.h"
#include "extremes.h"

namespace std {

template <class T, class U = T>
constexpr T exchange(T& value, U&& with) {
    T before = move(value);
    value = forward<U>(with);
    return before;
}
template <class T>
constexpr const T& as_const(T& value) noexcept {
    return value;
}

template <class A, class B>
struct pair {
    using first_type = A;
    using second_type = B;
    A first;
    B second;
    constexpr pair() : first(), second() {}
    constexpr pair(const A& a, const B& b) : first(a), second(b) {}
    template <class C, class D>
    constexpr pair(const pair<C, D>& other) : first(other.first), second(other.second) {}
};
template <class A, class B>
constexpr pair<decay_t<A>, decay_t<B>> make_pair(A&& a, B&& b) {
    return {forward<A>(a), forward<B>(b)};
}
template <class A, class B>
constexpr bool operator==(const pair<A, B>& x, const pair<A, B>& y) {
    return x.first == y.first && x.second == y.second;
}
template <class A, class B>
constexpr bool operator<(const pair<A, B>& x, const pair<A, B>& y) {
    return x.first < y.first || (!(y.first < x.first) && x.second < y.second);
}

template <class T, T... values>
struct integer_sequence {
    static constexpr size_t size() noexcept { return sizeof...(values); }
};
template <size_t... values>
using index_sequence = integer_sequence<size_t, values...>;

}  // namespace std

namespace workbook {

template <class T, size_t n, T... rest>
struct counted : counted<T, n - 1, T(n - 1), rest...> {};
template <class T, T... rest>
struct counted<T, 0, rest...> {
    using type = std::integer_sequence<T, rest...>;
};

}  // namespace workbook

namespace std {

template <class T, T n>
using make_integer_sequence = typename workbook::counted<T, size_t(n)>::type;
template <size_t n>
using make_index_sequence = make_integer_sequence<size_t, n>;

}  // namespace std
