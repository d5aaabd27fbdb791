// std::array: an array that can be copied and returned.
#pragma once
#include "cpp/iterator.h"
#include "cpp/utility.h"

namespace std {

template <class T, size_t n>
struct array {
    using value_type = T;
    using size_type = size_t;
    using iterator = T*;
    using const_iterator = const T*;
    T elements[n > 0 ? n : 1];

    constexpr T& operator[](size_t i) { return elements[i]; }
    constexpr const T& operator[](size_t i) const { return elements[i]; }
    constexpr T& at(size_t i) { return elements[i]; }
    constexpr const T& at(size_t i) const { return elements[i]; }
    constexpr T& front() { return elements[0]; }
    constexpr const T& front() const { return elements[0]; }
    constexpr T& back() { return elements[n - 1]; }
    constexpr const T& back() const { return elements[n - 1]; }
    constexpr T* data() { return elements; }
    constexpr const T* data() const { return elements; }
    constexpr T* begin() { return elements; }
    constexpr const T* begin() const { return elements; }
    constexpr T* end() { return elements + n; }
    constexpr const T* end() const { return elements + n; }
    constexpr const T* cbegin() const { return elements; }
    constexpr const T* cend() const { return elements + n; }
    constexpr reverse_iterator<T*> rbegin() { return reverse_iterator<T*>(end()); }
    constexpr reverse_iterator<T*> rend() { return reverse_iterator<T*>(begin()); }
    constexpr reverse_iterator<const T*> rbegin() const { return reverse_iterator<const T*>(end()); }
    constexpr reverse_iterator<const T*> rend() const { return reverse_iterator<const T*>(begin()); }
    constexpr reverse_iterator<const T*> crbegin() const { return rbegin(); }
    constexpr reverse_iterator<const T*> crend() const { return rend(); }
    constexpr size_t max_size() const { return n; }
    constexpr void swap(array& other) {
        for (size_t i = 0; i < n; ++i) {
            const T kept = elements[i];
            elements[i] = other.elements[i];
            other.elements[i] = kept;
        }
    }
    friend constexpr bool operator==(const array& a, const array& b) {
        for (size_t i = 0; i < n; ++i)
            if (!(a[i] == b[i])) return false;
        return true;
    }
    friend constexpr bool operator!=(const array& a, const array& b) { return !(a == b); }
    constexpr size_t size() const { return n; }
    constexpr bool empty() const { return n == 0; }
    constexpr void fill(const T& value) {
        for (size_t i = 0; i < n; ++i) elements[i] = value;
    }
};
template <class T, class... U>
array(T, U...) -> array<T, 1 + sizeof...(U)>;

template <class T, size_t n>
struct tuple_size<array<T, n>> {
    static constexpr size_t value = n;
};
template <size_t number, class T, size_t n>
struct tuple_element<number, array<T, n>> {
    using type = T;
};
template <size_t number, class T, size_t n>
constexpr T& get(array<T, n>& of) {
    return of[number];
}
template <size_t number, class T, size_t n>
constexpr const T& get(const array<T, n>& of) {
    return of[number];
}
template <size_t number, class T, size_t n>
constexpr T get(array<T, n>&& of) {
    return of[number];
}

}  // namespace std
