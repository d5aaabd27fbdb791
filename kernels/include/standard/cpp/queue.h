// std::deque, std::queue, std::stack: kept in a std::vector.
#pragma once
#include "cpp/vector.h"

namespace std {

template <class T>
class deque : public vector<T> {
   public:
    using vector<T>::vector;
    void pop_front() { this->erase(this->begin()); }
    void push_front(const T& value) { this->insert(this->begin(), value); }
};
template <class T>
class queue {
    deque<T> kept_;

   public:
    void push(const T& value) { kept_.push_back(value); }
    template <class... A>
    void emplace(A&&... arguments) {
        kept_.emplace_back(static_cast<A&&>(arguments)...);
    }
    void pop() { kept_.pop_front(); }
    T& front() { return kept_.front(); }
    T& back() { return kept_.back(); }
    bool empty() const { return kept_.empty(); }
    size_t size() const { return kept_.size(); }
};
template <class T>
class stack {
    vector<T> kept_;

   public:
    void push(const T& value) { kept_.push_back(value); }
    template <class... A>
    void emplace(A&&... arguments) {
        kept_.emplace_back(static_cast<A&&>(arguments)...);
    }
    void pop() { kept_.pop_back(); }
    T& top() { return kept_.back(); }
    bool empty() const { return kept_.empty(); }
    size_t size() const { return kept_.size(); }
};

}  // namespace std
