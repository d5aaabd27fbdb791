// std::span: a pointer and a number of elements.
#pragma once
#include "cpp/array.h"
#include "cpp/type_traits.h"

namespace std {

inline constexpr size_t dynamic_extent = static_cast<size_t>(-1);

template <class T, size_t extent = dynamic_extent>
class span {
   public:
    using element_type = T;
    using value_type = remove_cv_t<T>;
    using iterator = T*;

    constexpr span() = default;
    constexpr span(T* first, size_t count) : data_(first), size_(count) {}
    constexpr span(T* first, T* last) : data_(first), size_(last - first) {}
    template <size_t n>
    constexpr span(T (&elements)[n]) : data_(elements), size_(n) {}
    // Of a container, or of another span.
    template <class C, class = decltype(static_cast<T*>(declval<C&>().data()))>
    constexpr span(C&& container) : data_(container.data()), size_(container.size()) {}

    constexpr T& operator[](size_t i) const { return data_[i]; }
    constexpr T& front() const { return data_[0]; }
    constexpr T& back() const { return data_[size_ - 1]; }
    constexpr T* data() const { return data_; }
    constexpr T* begin() const { return data_; }
    constexpr T* end() const { return data_ + size_; }
    constexpr size_t size() const { return size_; }
    constexpr size_t size_bytes() const { return size_ * sizeof(T); }
    constexpr bool empty() const { return size_ == 0; }
    constexpr span<T> first(size_t count) const { return {data_, count}; }
    constexpr span<T> last(size_t count) const { return {data_ + size_ - count, count}; }
    constexpr span<T> subspan(size_t from, size_t count = dynamic_extent) const {
        return {data_ + from, count == dynamic_extent ? size_ - from : count};
    }

   private:
    T* data_ = nullptr;
    size_t size_ = 0;
};
template <class T>
span(T*, size_t) -> span<T>;
template <class T, size_t n>
span(T (&)[n]) -> span<T, n>;
template <class C>
span(C&&) -> span<remove_reference_t<decltype(*declval<C&>().data())>>;

}  // namespace std
