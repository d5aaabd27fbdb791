// std::optional of values that can be made without arguments.
#pragma once
#include "cpp/utility.h"

namespace std {

struct nullopt_t {};
inline constexpr nullopt_t nullopt{};

template <class T>
class optional {
    T value_{};
    bool there_ = false;

   public:
    constexpr optional() = default;
    constexpr optional(nullopt_t) {}
    constexpr optional(const T& value) : value_(value), there_(true) {}
    constexpr bool has_value() const { return there_; }
    constexpr explicit operator bool() const { return there_; }
    constexpr T& value() { return value_; }
    constexpr const T& value() const { return value_; }
    constexpr T value_or(const T& other) const { return there_ ? value_ : other; }
    constexpr T& operator*() { return value_; }
    constexpr const T& operator*() const { return value_; }
    constexpr T* operator->() { return &value_; }
    constexpr const T* operator->() const { return &value_; }
    constexpr void reset() { there_ = false; }
    template <class... A>
    constexpr T& emplace(A&&... arguments) {
        value_ = T(static_cast<A&&>(arguments)...);
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
