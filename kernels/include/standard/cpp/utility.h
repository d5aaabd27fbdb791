// Pairs, sequences of indices. std::move and std::forward are the compiler's own.
#pragma once
#include "cpp/type_traits.h"
#include "extremes.h"

namespace std {

// What structured bindings ask of a type.
template <size_t number, class Tuple>
struct tuple_element;
template <size_t number, class Tuple>
struct tuple_element<number, const Tuple> {
    using type = const typename tuple_element<number, Tuple>::type;
};
template <size_t number, class Tuple>
using tuple_element_t = typename tuple_element<number, Tuple>::type;
template <class Tuple>
struct tuple_size;
template <class Tuple, size_t = tuple_size<Tuple>::value>
using workbook_with_size = Tuple;
template <class Tuple>
struct tuple_size<const workbook_with_size<Tuple>> : tuple_size<Tuple> {};
template <class Tuple>
inline constexpr size_t tuple_size_v = tuple_size<Tuple>::value;

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

template <class E>
constexpr underlying_type_t<E> to_underlying(E value) noexcept {
    return static_cast<underlying_type_t<E>>(value);
}
[[noreturn]] inline void unreachable() { __builtin_unreachable(); }
struct in_place_t {};
inline constexpr in_place_t in_place{};

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
pair(A, B) -> pair<A, B>;
template <class A, class B>
constexpr bool operator!=(const pair<A, B>& x, const pair<A, B>& y) {
    return !(x == y);
}
template <class A, class B>
struct tuple_size<pair<A, B>> {
    static constexpr size_t value = 2;
};
template <size_t number, class A, class B>
struct tuple_element<number, pair<A, B>> {
    using type = conditional_t<number == 0, A, B>;
};
template <size_t number, class A, class B>
constexpr auto& get(pair<A, B>& of) {
    if constexpr (number == 0)
        return of.first;
    else
        return of.second;
}
template <size_t number, class A, class B>
constexpr const auto& get(const pair<A, B>& of) {
    if constexpr (number == 0)
        return of.first;
    else
        return of.second;
}
template <size_t number, class A, class B>
constexpr auto get(pair<A, B>&& of) {
    return get<number>(static_cast<const pair<A, B>&>(of));
}
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

// The numbers below `n`, from those of two halves: one by one, tables would be too deep for the compiler.
template <class First, class Second>
struct joined;
template <class T, T... first, T... second>
struct joined<std::integer_sequence<T, first...>, std::integer_sequence<T, second...>> {
    using type = std::integer_sequence<T, first..., T(sizeof...(first) + second)...>;
};
template <class T, size_t n>
struct counted {
    using type = typename joined<typename counted<T, n / 2>::type, typename counted<T, n - n / 2>::type>::type;
};
template <class T>
struct counted<T, 0> {
    using type = std::integer_sequence<T>;
};
template <class T>
struct counted<T, 1> {
    using type = std::integer_sequence<T, T(0)>;
};

}  // namespace workbook

namespace std {

template <class T, T n>
using make_integer_sequence = typename workbook::counted<T, size_t(n)>::type;
template <size_t n>
using make_index_sequence = make_integer_sequence<size_t, n>;

}  // namespace std
