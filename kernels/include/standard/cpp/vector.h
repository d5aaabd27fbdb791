// std::vector, for host functions.
#pragma once
#include "cpp/iterator.h"
#include "cpp/type_traits.h"

namespace std {

template <class T>
class vector {
   public:
    using value_type = T;
    using size_type = size_t;
    using iterator = T*;
    using const_iterator = const T*;

    vector() = default;
    explicit vector(size_t size, const T& value = T()) { resize(size, value); }
    vector(initializer_list<T> list) { assign(list.begin(), list.end()); }
    template <class U>
    vector(const U* first, const U* last) {
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
        T* const data = data_;
        const size_t size = size_, room = room_;
        data_ = other.data_, size_ = other.size_, room_ = other.room_;
        other.data_ = data, other.size_ = size, other.room_ = room;
        return *this;
    }
    ~vector() {
        clear();
        free(data_);
    }

    void reserve(size_t room) {
        if (room <= room_) return;
        T* const data = static_cast<T*>(malloc(room * sizeof(T)));
        for (size_t i = 0; i < size_; ++i) {
            new (data + i) T(static_cast<T&&>(data_[i]));
            data_[i].~T();
        }
        free(data_);
        data_ = data;
        room_ = room;
    }
    void resize(size_t size, const T& value = T()) {
        reserve(size);
        for (size_t i = size_; i < size; ++i) new (data_ + i) T(value);
        while (size_ > size) pop_back();
        size_ = size;
    }
    template <class U>
    void assign(const U* first, const U* last) {
        clear();
        reserve(last - first);
        size_ = last - first;
        for (size_t i = 0; i < size_; ++i) new (data_ + i) T(first[i]);
    }
    void assign(size_t size, const T& value) {
        clear();
        resize(size, value);
    }
    void push_back(const T& value) {
        T kept = value;
        push_back(static_cast<T&&>(kept));
    }
    void push_back(T&& value) {
        // It may be an element.
        T kept = static_cast<T&&>(value);
        if (size_ == room_) reserve(2 * room_ + 4);
        new (data_ + size_++) T(static_cast<T&&>(kept));
    }
    template <class... A>
    void emplace_back(A&&... arguments) {
        if constexpr (is_constructible_v<T, A...>)
            push_back(T(static_cast<A&&>(arguments)...));
        else
            push_back(T{static_cast<A&&>(arguments)...});
    }
    void pop_back() { data_[--size_].~T(); }
    T* erase(T* at) { return erase(at, at + 1); }
    T* erase(T* first, T* last) {
        T* to = first;
        for (; last != end(); ++last) *to++ = static_cast<T&&>(*last);
        while (end() != to) pop_back();
        return first;
    }
    T* insert(T* at, const T& value) {
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
    size_t size() const { return size_; }
    size_t capacity() const { return room_; }
    bool empty() const { return size_ == 0; }

   private:
    T* data_ = nullptr;
    size_t size_ = 0, room_ = 0;
};

}  // namespace std
