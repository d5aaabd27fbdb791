// std::optional.
#pragma once
#include "cpp/utility.h"

namespace std {

struct nullopt_t {};
inline constexpr nullopt_t nullopt{};

template <class T>
class optional {
    union {
        char nothing_;
        T value_;
    };
    bool there_ = false;

   public:
    constexpr optional() : nothing_() {}
    constexpr optional(nullopt_t) : nothing_() {}
    constexpr optional(const T& value) : value_(value), there_(true) {}
    constexpr optional(T&& value) : value_(static_cast<T&&>(value)), there_(true) {}
    constexpr optional(const optional& other) : nothing_() {
        if (other.there_) emplace(other.value_);
    }
    constexpr optional(optional&& other) : nothing_() {
        if (other.there_) emplace(static_cast<T&&>(other.value_));
    }
    constexpr optional& operator=(const optional& other) {
        if (this == &other) return *this;
        reset();
        if (other.there_) emplace(other.value_);
        return *this;
    }
    constexpr optional& operator=(optional&& other) {
        if (this == &other) return *this;
        reset();
        if (other.there_) emplace(static_cast<T&&>(other.value_));
        return *this;
    }
    constexpr ~optional() { reset(); }
    constexpr bool has_value() const { return there_; }
    constexpr explicit operator bool() const { return there_; }
    constexpr T& value() { return value_; }
    constexpr const T& value() const { return value_; }
    constexpr T value_or(const T& other) const { return there_ ? value_ : other; }
    constexpr T& operator*() { return value_; }
    constexpr const T& operator*() const { return value_; }
    constexpr T* operator->() { return &value_; }
    constexpr const T* operator->() const { return &value_; }
    constexpr void reset() {
        if (there_) value_.~T();
        there_ = false;
    }
    template <class... A>
    constexpr T& emplace(A&&... arguments) {
        reset();
        new (&value_) T(static_cast<A&&>(arguments)...);
        there_ = true;
        return value_;
    }
    friend constexpr bool operator==(const optional& a, nullopt_t) { return !a.there_; }
    friend constexpr bool operator!=(const optional& a, nullopt_t) { return a.there_; }
};
template <class T>
optional(T) -> optional<T>;
template <class T>
constexpr optional<decay_t<T>> make_optional(T&& value) {
    return optional<decay_t<T>>(static_cast<T&&>(value));
}

}  // namespace std
