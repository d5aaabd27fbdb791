// std::tuple of plain values, and std::tie.
#pragma once
#include "cpp/utility.h"

namespace std {

template <class... T>
struct tuple;
template <>
struct tuple<> {};
template <class First, class... Rest>
struct tuple<First, Rest...> {
    First first;
    tuple<Rest...> rest;

    constexpr tuple() : first(), rest() {}
    constexpr tuple(First first, Rest... rest) : first(first), rest(rest...) {}
    template <class A, class... B>
    constexpr tuple(const tuple<A, B...>& other) : first(other.first), rest(other.rest) {}
    template <class A, class... B>
    constexpr tuple& operator=(const tuple<A, B...>& other) {
        first = other.first;
        rest = other.rest;
        return *this;
    }
    template <class A, class B>
    constexpr tuple& operator=(const pair<A, B>& other) {
        first = other.first;
        rest.first = other.second;
        return *this;
    }
};
template <class... T>
tuple(T...) -> tuple<T...>;

template <class First, class... Rest>
struct tuple_element<0, tuple<First, Rest...>> {
    using type = First;
};
template <size_t number, class First, class... Rest>
struct tuple_element<number, tuple<First, Rest...>> : tuple_element<number - 1, tuple<Rest...>> {};
template <class... T>
struct tuple_size<tuple<T...>> {
    static constexpr size_t value = sizeof...(T);
};

template <size_t number, class... T>
constexpr auto& get(tuple<T...>& of) {
    if constexpr (number == 0)
        return of.first;
    else
        return get<number - 1>(of.rest);
}
template <size_t number, class... T>
constexpr const auto& get(const tuple<T...>& of) {
    if constexpr (number == 0)
        return of.first;
    else
        return get<number - 1>(of.rest);
}
template <size_t number, class... T>
constexpr auto get(tuple<T...>&& of) {
    return get<number>(static_cast<const tuple<T...>&>(of));
}

template <class... T>
constexpr tuple<decay_t<T>...> make_tuple(T&&... values) {
    return {forward<T>(values)...};
}
template <class... T>
constexpr tuple<T&...> tie(T&... variables) {
    return {variables...};
}

}  // namespace std
