// std::vector of plain values, for host functions.
#pragma once
#include "cpp/iterator.h"
#include "cpp/type_traits.h"

namespace std {

template <class T>
class vector {
    static_assert(is_trivially_copyable_v<T>, "here a std::vector holds plain values only: numbers and structures of numbers");

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
    ~vector() { free(data_); }

    void reserve(size_t room) {
        if (room <= room_) return;
        T* const data = static_cast<T*>(malloc(room * sizeof(T)));
        for (size_t i = 0; i < size_; ++i) data[i] = data_[i];
        free(data_);
        data_ = data;
        room_ = room;
    }
    void resize(size_t size, const T& value = T()) {
        reserve(size);
        for (size_t i = size_; i < size; ++i) data_[i] = value;
        size_ = size;
    }
    template <class U>
    void assign(const U* first, const U* last) {
        reserve(last - first);
        size_ = last - first;
        for (size_t i = 0; i < size_; ++i) data_[i] = first[i];
    }
    void assign(size_t size, const T& value) {
        size_ = 0;
        resize(size, value);
    }
    void push_back(const T& value) {
        const T kept = value;
        if (size_ == room_) reserve(2 * room_ + 4);
        data_[size_++] = kept;
    }
    template <class... A>
    void emplace_back(A... arguments) {
        push_back(T{arguments...});
    }
    void pop_back() { --size_; }
    void clear() { size_ = 0; }

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
    size_t size() const { return size_; }
    size_t capacity() const { return room_; }
    bool empty() const { return size_ == 0; }

   private:
    T* data_ = nullptr;
    size_t size_ = 0, room_ = 0;
};

}  // namespace std
