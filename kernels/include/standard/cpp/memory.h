// std::unique_ptr: frees what it owns at the end of its scope.
#pragma once
#include "cpp/utility.h"

namespace std {

template <class T>
struct default_delete {
    void operator()(T* pointer) const { delete pointer; }
};
template <class T>
struct default_delete<T[]> {
    void operator()(T* pointer) const { delete[] pointer; }
};

template <class T, class Delete = default_delete<T>>
class unique_ptr {
   public:
    using element_type = remove_extent_t<T>;
    using pointer = element_type*;

    constexpr unique_ptr() noexcept = default;
    constexpr unique_ptr(decltype(nullptr)) noexcept {}
    explicit unique_ptr(pointer owned) noexcept : owned_(owned) {}
    unique_ptr(pointer owned, Delete how) noexcept : owned_(owned), delete_(how) {}
    unique_ptr(unique_ptr&& other) noexcept : owned_(other.release()), delete_(other.delete_) {}
    // Of a derived class.
    template <class U, class D, class = enable_if_t<is_convertible_v<U*, pointer>>>
    unique_ptr(unique_ptr<U, D>&& other) noexcept : owned_(other.release()) {}
    unique_ptr(const unique_ptr&) = delete;
    unique_ptr& operator=(unique_ptr&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~unique_ptr() { reset(); }

    pointer get() const { return owned_; }
    pointer release() {
        pointer const owned = owned_;
        owned_ = nullptr;
        return owned;
    }
    void reset(pointer next = nullptr) {
        pointer const owned = owned_;
        owned_ = next;
        if (owned != nullptr) delete_(owned);
    }
    element_type& operator*() const { return *owned_; }
    pointer operator->() const { return owned_; }
    element_type& operator[](size_t i) const { return owned_[i]; }
    explicit operator bool() const { return owned_ != nullptr; }

   private:
    pointer owned_ = nullptr;
    Delete delete_ = {};
};
template <class T, class... A>
unique_ptr<T> make_unique(A&&... arguments) {
    if constexpr (is_array_v<T>)
        return unique_ptr<T>(new remove_extent_t<T>[(arguments, ...)]());
    else
        return unique_ptr<T>(new T(forward<A>(arguments)...));
}

}  // namespace std
