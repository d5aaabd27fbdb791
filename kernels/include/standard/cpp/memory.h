// std::unique_ptr and std::shared_ptr: free what they own at the end of its last owner.
#pragma once
#include "cpp/utility.h"
#include "cpp/vector.h"

namespace std {

template <class T>
constexpr T* addressof(T& value) noexcept {
    return __builtin_addressof(value);
}

template <class T>
struct default_delete {
    constexpr default_delete() = default;
    template <class U>
    constexpr default_delete(const default_delete<U>&) {}
    void operator()(T* pointer) const { delete pointer; }
};
template <class T>
struct default_delete<T[]> {
    void operator()(T* pointer) const { delete[] pointer; }
};

}  // namespace std

namespace workbook {

// What a pointer leads to; there is no reference to `void`.
template <class T>
using referred = std::conditional_t<std::is_void_v<T>, int, T>;

// What an owner holds: a pointer, or what its way to delete calls one.
template <class T, class Delete, class = void>
struct owned_by {
    using type = std::remove_extent_t<T>*;
};
template <class T, class Delete>
struct owned_by<T, Delete, std::void_t<typename std::remove_reference_t<Delete>::pointer>> {
    using type = typename std::remove_reference_t<Delete>::pointer;
};

}  // namespace workbook

namespace std {

template <class T, class Delete = default_delete<T>>
class unique_ptr {
   public:
    using element_type = remove_extent_t<T>;
    using pointer = typename workbook::owned_by<T, Delete>::type;
    using deleter_type = Delete;

    constexpr unique_ptr() noexcept = default;
    constexpr unique_ptr(decltype(nullptr)) noexcept {}
    explicit unique_ptr(pointer owned) noexcept : owned_(owned) {}
    unique_ptr(pointer owned, Delete how) noexcept : owned_(owned), delete_(how) {}
    unique_ptr(unique_ptr&& other) noexcept : owned_(other.release()), delete_(other.delete_) {}
    // Of a derived class.
    template <class U, class D, class = enable_if_t<is_convertible_v<typename unique_ptr<U, D>::pointer, pointer>>>
    unique_ptr(unique_ptr<U, D>&& other) noexcept : owned_(other.release()), delete_(other.get_deleter()) {}
    unique_ptr(const unique_ptr&) = delete;
    unique_ptr& operator=(unique_ptr&& other) noexcept {
        reset(other.release());
        if constexpr (__is_assignable(Delete&, const Delete&)) delete_ = other.delete_;
        return *this;
    }
    unique_ptr& operator=(decltype(nullptr)) noexcept {
        reset();
        return *this;
    }
    ~unique_ptr() { reset(); }

    pointer get() const { return owned_; }
    Delete& get_deleter() { return delete_; }
    pointer release() {
        pointer const owned = owned_;
        owned_ = pointer();
        return owned;
    }
    void reset(pointer next = pointer()) {
        pointer const owned = owned_;
        owned_ = next;
        if (owned != pointer()) delete_(owned);
    }
    void swap(unique_ptr& other) {
        pointer const owned = owned_;
        owned_ = other.owned_;
        other.owned_ = owned;
    }
    workbook::referred<element_type>& operator*() const { return *owned_; }
    pointer operator->() const { return owned_; }
    workbook::referred<element_type>& operator[](size_t i) const { return owned_[i]; }
    explicit operator bool() const { return owned_ != pointer(); }
    friend bool operator==(const unique_ptr& a, decltype(nullptr)) { return !a; }
    friend bool operator!=(const unique_ptr& a, decltype(nullptr)) { return bool(a); }

   private:
    pointer owned_ = {};
    Delete delete_ = {};
};
template <class T, class... A>
unique_ptr<T> make_unique(A&&... arguments) {
    if constexpr (is_array_v<T>)
        return unique_ptr<T>(new remove_extent_t<T>[(arguments, ...)]());
    else
        return unique_ptr<T>(new T(forward<A>(arguments)...));
}
template <class T, class... A>
unique_ptr<T> make_unique_for_overwrite(A... size) {
    if constexpr (is_array_v<T>)
        return unique_ptr<T>(new remove_extent_t<T>[(size, ...)]);
    else
        return unique_ptr<T>(new T);
}

}  // namespace std

namespace workbook {

// How many own something, and how it ends.
struct Owners {
    long count = 1;
    virtual ~Owners() {}
    virtual void end() = 0;
};
template <class P, class Delete>
struct OwnersOf : Owners {
    P pointer;
    Delete how;
    OwnersOf(P pointer, Delete how) : pointer(pointer), how(how) {}
    void end() override { how(pointer); }
};

}  // namespace workbook

namespace std {

template <class T>
class shared_ptr {
   public:
    using element_type = remove_extent_t<T>;

    constexpr shared_ptr() noexcept = default;
    constexpr shared_ptr(decltype(nullptr)) noexcept {}
    template <class U>
    explicit shared_ptr(U* owned) : shared_ptr(owned, conditional_t<is_array_v<T>, default_delete<U[]>, default_delete<U>>()) {}
    template <class U, class Delete>
    shared_ptr(U* owned, Delete how) : owned_(owned), owners_(new workbook::OwnersOf<U*, Delete>(owned, how)) {}
    shared_ptr(const shared_ptr& other) noexcept : shared_ptr(other, other.owned_) {}
    template <class U>
    shared_ptr(const shared_ptr<U>& other) noexcept : shared_ptr(other, other.get()) {}
    // What is owned is another's; the pointer is into it.
    template <class U>
    shared_ptr(const shared_ptr<U>& other, element_type* pointer) noexcept : owned_(pointer), owners_(other.owners_) {
        if (owners_ != nullptr) ++owners_->count;
    }
    shared_ptr(shared_ptr&& other) noexcept : owned_(other.owned_), owners_(other.owners_) {
        other.owned_ = nullptr;
        other.owners_ = nullptr;
    }
    template <class U, class D>
    shared_ptr(unique_ptr<U, D>&& other) : shared_ptr(other.get(), other.get_deleter()) {
        other.release();
    }
    shared_ptr& operator=(shared_ptr other) noexcept {
        swap(other);
        return *this;
    }
    ~shared_ptr() {
        if (owners_ == nullptr || --owners_->count > 0) return;
        owners_->end();
        delete owners_;
    }

    void swap(shared_ptr& other) noexcept {
        element_type* const owned = owned_;
        workbook::Owners* const owners = owners_;
        owned_ = other.owned_, owners_ = other.owners_;
        other.owned_ = owned, other.owners_ = owners;
    }
    void reset() { *this = shared_ptr(); }
    template <class U>
    void reset(U* next) {
        *this = shared_ptr(next);
    }
    template <class U, class Delete>
    void reset(U* next, Delete how) {
        *this = shared_ptr(next, how);
    }
    element_type* get() const { return owned_; }
    long use_count() const { return owners_ != nullptr ? owners_->count : 0; }
    workbook::referred<element_type>& operator*() const { return *owned_; }
    element_type* operator->() const { return owned_; }
    workbook::referred<element_type>& operator[](size_t i) const { return owned_[i]; }
    explicit operator bool() const { return owned_ != nullptr; }
    friend bool operator==(const shared_ptr& a, const shared_ptr& b) { return a.owned_ == b.owned_; }
    friend bool operator!=(const shared_ptr& a, const shared_ptr& b) { return a.owned_ != b.owned_; }

   private:
    template <class U>
    friend class shared_ptr;
    element_type* owned_ = nullptr;
    workbook::Owners* owners_ = nullptr;
};
template <class T, class... A>
shared_ptr<T> make_shared(A&&... arguments) {
    return make_unique<T>(forward<A>(arguments)...);
}

}  // namespace std
