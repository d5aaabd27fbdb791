// What ranges of elements have in common: pointers into arrays, containers, lists in braces.
#pragma once
#include "stddef.h"

namespace std {

template <class I>
struct iterator_traits;
template <class T>
struct iterator_traits<T*> {
    using value_type = T;
    using difference_type = ptrdiff_t;
    using pointer = T*;
    using reference = T&;
};
template <class T>
struct iterator_traits<const T*> {
    using value_type = T;
    using difference_type = ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;
};

// From the last element to the first.
template <class I>
class reverse_iterator {
   public:
    constexpr explicit reverse_iterator(I at) : at_(at) {}
    constexpr decltype(auto) operator*() const {
        I before = at_;
        return *--before;
    }
    constexpr auto operator->() const { return at_ - 1; }
    constexpr reverse_iterator& operator++() {
        --at_;
        return *this;
    }
    constexpr reverse_iterator operator++(int) {
        const reverse_iterator before = *this;
        --at_;
        return before;
    }
    constexpr I base() const { return at_; }
    constexpr bool operator==(const reverse_iterator& other) const { return at_ == other.at_; }
    constexpr bool operator!=(const reverse_iterator& other) const { return at_ != other.at_; }
    constexpr ptrdiff_t operator-(const reverse_iterator& other) const { return other.at_ - at_; }
    constexpr reverse_iterator operator+(ptrdiff_t by) const { return reverse_iterator(at_ - by); }
    constexpr reverse_iterator operator-(ptrdiff_t by) const { return reverse_iterator(at_ + by); }
    constexpr decltype(auto) operator[](ptrdiff_t by) const { return *(*this + by); }

   private:
    I at_;
};

// What is stored through it is appended to a container.
template <class C>
struct back_insert_iterator {
    C* container;
    template <class T>
    back_insert_iterator& operator=(const T& value) {
        container->push_back(value);
        return *this;
    }
    back_insert_iterator& operator*() { return *this; }
    back_insert_iterator& operator++() { return *this; }
    back_insert_iterator operator++(int) { return *this; }
};
template <class C>
back_insert_iterator<C> back_inserter(C& container) {
    return {&container};
}

template <class T, size_t n>
constexpr T* begin(T (&array)[n]) noexcept {
    return array;
}
template <class T, size_t n>
constexpr T* end(T (&array)[n]) noexcept {
    return array + n;
}
template <class C>
constexpr auto begin(C& container) -> decltype(container.begin()) {
    return container.begin();
}
template <class C>
constexpr auto end(C& container) -> decltype(container.end()) {
    return container.end();
}
template <class T, size_t n>
constexpr size_t size(const T (&)[n]) noexcept {
    return n;
}
template <class C>
constexpr auto size(const C& container) -> decltype(container.size()) {
    return container.size();
}
template <class C>
constexpr auto data(C& container) -> decltype(container.data()) {
    return container.data();
}
#define WORKBOOK_END(name, of)                                                   \
    template <class C>                                                           \
    constexpr auto name(C& container) -> decltype(container.of()) {              \
        return container.of();                                                   \
    }
WORKBOOK_END(rbegin, rbegin)
WORKBOOK_END(rend, rend)
WORKBOOK_END(crbegin, rbegin)
WORKBOOK_END(crend, rend)
#undef WORKBOOK_END
template <class C>
constexpr auto cbegin(const C& container) {
    return begin(container);
}
template <class C>
constexpr auto cend(const C& container) {
    return end(container);
}
template <class C>
constexpr auto empty(const C& container) -> decltype(container.empty()) {
    return container.empty();
}
template <class C>
constexpr ptrdiff_t ssize(const C& container) {
    return static_cast<ptrdiff_t>(size(container));
}
template <class I>
constexpr ptrdiff_t distance(I first, I last) {
    return last - first;
}
template <class I>
constexpr void advance(I& at, ptrdiff_t by) {
    at += by;
}
template <class I>
constexpr I next(I at, ptrdiff_t by = 1) {
    return at + by;
}
template <class I>
constexpr I prev(I at, ptrdiff_t by = 1) {
    return at - by;
}

}  // namespace std
