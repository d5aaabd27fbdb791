// std::vector, for host functions.
#pragma once
#include "cpp/iterator.h"
#include "cpp/type_traits.h"

namespace workbook {

// Values that are copied as bytes are copied at once: the host function is interpreted.
template <class T>
inline void copy_values(T* to, const T* from, size_t count) {
    if constexpr (std::is_trivially_copyable_v<T>) {
        if (count > 0) memcpy(to, from, count * sizeof(T));
    } else {
        for (size_t i = 0; i < count; ++i) new (to + i) T(from[i]);
    }
}
// Many values: some one by one, doubled in twelve copies, so that the number of copies does not depend on the size.
template <class T>
inline void fill_values(T* to, size_t count, const T& value) {
    size_t done = std::is_trivially_copyable_v<T> && count > 4096 ? (count + 4095) / 4096 : count;
    for (size_t i = 0; i < done; ++i) new (to + i) T(value);
    for (; done < count; done *= 2) copy_values(to + done, to, done < count - done ? done : count - done);
}

}  // namespace workbook

namespace std {

// Memory as `operator new` gives it.
template <class T>
struct allocator {
    using value_type = T;
    constexpr allocator() = default;
    template <class U>
    constexpr allocator(const allocator<U>&) {}
    T* allocate(size_t count) { return static_cast<T*>(malloc(count * sizeof(T))); }
    void deallocate(T* memory, size_t) { free(memory); }
};

template <class T, class Allocator = allocator<T>>
class vector {
   public:
    using value_type = T;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = T*;
    using const_iterator = const T*;
    using allocator_type = Allocator;

    vector() = default;
    explicit vector(const Allocator& how) : memory_(how) {}
    explicit vector(size_t size, const Allocator& how = Allocator()) : memory_(how) {
        data_ = memory_.allocate(room_ = size);
        fill_in_place(size);
    }
    vector(size_t size, const T& value, const Allocator& how = Allocator()) : memory_(how) { resize(size, value); }
    vector(initializer_list<T> list) { assign(list.begin(), list.end()); }
    template <class I, class = decltype(*declval<I&>()++)>
    vector(I first, I last) {
        assign(first, last);
    }
    vector(const vector& other) { assign(other.begin(), other.end()); }
    vector(vector&& other) noexcept : data_(other.data_), size_(other.size_), room_(other.room_) {
        other.data_ = nullptr;
        other.size_ = other.room_ = 0;
    }
    vector& operator=(const vector& other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    vector& operator=(vector&& other) noexcept {
        swap(other);
        return *this;
    }
    ~vector() {
        clear();
        release();
    }
    void swap(vector& other) noexcept {
        T* const data = data_;
        const size_t size = size_, room = room_;
        data_ = other.data_, size_ = other.size_, room_ = other.room_;
        other.data_ = data, other.size_ = size, other.room_ = room;
    }

    void reserve(size_t room) {
        if (room > room_) move_to(memory_.allocate(room), room);
    }
    void resize(size_t size) {
        reserve(size);
        fill_in_place(size);
        while (size_ > size) pop_back();
    }
    void resize(size_t size, const T& value) {
        reserve(size);
        if (size > size_) workbook::fill_values(data_ + size_, size - size_, value);
        while (size_ > size) pop_back();
        size_ = size;
    }
    template <class I, class = decltype(*declval<I&>()++)>
    void assign(I first, I last) {
        clear();
        for (; first != last; ++first) emplace_back(*first);
    }
    template <class U>
    void assign(U* first, U* last) {
        assign(static_cast<const U*>(first), static_cast<const U*>(last));
    }
    template <class U>
    void assign(const U* first, const U* last) {
        clear();
        reserve(last - first);
        size_ = last - first;
        if constexpr (is_same_v<T, U>)
            workbook::copy_values(data_, first, size_);
        else
            for (size_t i = 0; i < size_; ++i) new (data_ + i) T(first[i]);
    }
    void assign(initializer_list<T> list) { assign(list.begin(), list.end()); }
    void assign(size_t size, const T& value) {
        clear();
        resize(size, value);
    }
    void push_back(const T& value) { emplace_back(value); }
    void push_back(T&& value) { emplace_back(static_cast<T&&>(value)); }
    // The new element is made where it stays, before the others move: the arguments may lie in one of them.
    template <class... A>
    T& emplace_back(A&&... arguments) {
        const size_t room = size_ == room_ ? 2 * room_ + 4 : room_;
        T* const data = size_ == room_ ? memory_.allocate(room) : data_;
        if constexpr (is_constructible_v<T, A...>)
            new (data + size_) T(static_cast<A&&>(arguments)...);
        else
            new (data + size_) T{static_cast<A&&>(arguments)...};
        if (data != data_) move_to(data, room);
        return data_[size_++];
    }
    void pop_back() { data_[--size_].~T(); }
    T* erase(T* at) { return erase(at, at + 1); }
    T* erase(T* first, T* last) {
        T* to = first;
        for (; last != end(); ++last) *to++ = static_cast<T&&>(*last);
        while (end() != to) pop_back();
        return first;
    }
    template <class I>
    T* insert(const T* at, I first, I last) {
        const size_t place = at - data_;
        for (size_t next = place; first != last; ++first, ++next) insert(data_ + next, *first);
        return data_ + place;
    }
    T* insert(const T* at, const T& value) {
        const size_t place = at - data_;
        push_back(value);
        for (size_t i = size_ - 1; i > place; --i) {
            T kept = static_cast<T&&>(data_[i]);
            data_[i] = static_cast<T&&>(data_[i - 1]);
            data_[i - 1] = static_cast<T&&>(kept);
        }
        return data_ + place;
    }
    void clear() {
        while (size_ > 0) pop_back();
    }

    T& operator[](size_t i) { return data_[i]; }
    const T& operator[](size_t i) const { return data_[i]; }
    T& at(size_t i) { return data_[i]; }
    const T& at(size_t i) const { return data_[i]; }
    T& front() { return data_[0]; }
    const T& front() const { return data_[0]; }
    T& back() { return data_[size_ - 1]; }
    const T& back() const { return data_[size_ - 1]; }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    const T* begin() const { return data_; }
    T* end() { return data_ + size_; }
    const T* end() const { return data_ + size_; }
    reverse_iterator<T*> rbegin() { return reverse_iterator<T*>(end()); }
    reverse_iterator<T*> rend() { return reverse_iterator<T*>(begin()); }
    reverse_iterator<const T*> rbegin() const { return reverse_iterator<const T*>(end()); }
    reverse_iterator<const T*> rend() const { return reverse_iterator<const T*>(begin()); }
    const T* cbegin() const { return begin(); }
    const T* cend() const { return end(); }
    reverse_iterator<const T*> crbegin() const { return rbegin(); }
    reverse_iterator<const T*> crend() const { return rend(); }
    void shrink_to_fit() {}
    Allocator get_allocator() const { return memory_; }
    friend bool operator==(const vector& a, const vector& b) {
        if (a.size() != b.size()) return false;
        for (size_t i = 0; i < a.size(); ++i)
            if (!(a[i] == b[i])) return false;
        return true;
    }
    friend bool operator!=(const vector& a, const vector& b) { return !(a == b); }
    size_t size() const { return size_; }
    size_t capacity() const { return room_; }
    bool empty() const { return size_ == 0; }

   private:
    T* data_ = nullptr;
    size_t size_ = 0, room_ = 0;
    Allocator memory_;

    // The elements go to other memory, which is kept.
    void move_to(T* data, size_t room) {
        if constexpr (is_trivially_copyable_v<T>) {
            workbook::copy_values(data, data_, size_);
        } else {
            for (size_t i = 0; i < size_; ++i) {
                new (data + i) T(static_cast<T&&>(data_[i]));
                data_[i].~T();
            }
        }
        release();
        data_ = data;
        room_ = room;
    }
    // Elements without a value are made where they stay: an object such as a stream must not be a copy of another.
    void fill_in_place(size_t size) {
        if constexpr (is_trivially_copyable_v<T> && is_constructible_v<T, const T&>) {
            if (size > size_) workbook::fill_values(data_ + size_, size - size_, T());
        } else {
            for (size_t i = size_; i < size; ++i) new (data_ + i) T();
        }
        if (size > size_) size_ = size;
    }
    void release() {
        if (data_ != nullptr) memory_.deallocate(data_, room_);
    }
};
template <class T>
vector(initializer_list<T>) -> vector<T>;
template <class I>
vector(I, I) -> vector<remove_cv_t<remove_reference_t<decltype(*declval<I&>())>>>;

}  // namespace std
