// Operators as objects, references that can be copied, std::function.
#pragma once
#include "cpp/utility.h"

namespace std {

#define WORKBOOK_OPERATOR(name, result)                                   \
    template <class T = void>                                             \
    struct name {                                                         \
        constexpr auto operator()(const T& a, const T& b) const {         \
            return result;                                                \
        }                                                                 \
    };                                                                    \
    template <>                                                           \
    struct name<void> {                                                   \
        template <class A, class B>                                       \
        constexpr auto operator()(const A& a, const B& b) const {         \
            return result;                                                \
        }                                                                 \
    };
WORKBOOK_OPERATOR(plus, a + b)
WORKBOOK_OPERATOR(minus, a - b)
WORKBOOK_OPERATOR(multiplies, a* b)
WORKBOOK_OPERATOR(divides, a / b)
WORKBOOK_OPERATOR(modulus, a % b)
WORKBOOK_OPERATOR(equal_to, a == b)
WORKBOOK_OPERATOR(not_equal_to, a != b)
WORKBOOK_OPERATOR(less, a < b)
WORKBOOK_OPERATOR(less_equal, a <= b)
WORKBOOK_OPERATOR(greater, a > b)
WORKBOOK_OPERATOR(greater_equal, a >= b)
WORKBOOK_OPERATOR(logical_and, a&& b)
WORKBOOK_OPERATOR(logical_or, a || b)
WORKBOOK_OPERATOR(bit_and, a& b)
WORKBOOK_OPERATOR(bit_or, a | b)
WORKBOOK_OPERATOR(bit_xor, a ^ b)
#undef WORKBOOK_OPERATOR

template <class T = void>
struct negate {
    template <class A>
    constexpr auto operator()(const A& a) const {
        return -a;
    }
};
struct identity {
    template <class A>
    constexpr A&& operator()(A&& a) const {
        return static_cast<A&&>(a);
    }
};

// A reference that can be copied.
template <class T>
class reference_wrapper {
    T* to_;

   public:
    constexpr reference_wrapper(T& to) : to_(&to) {}
    constexpr operator T&() const { return *to_; }
    constexpr T& get() const { return *to_; }
    template <class... A>
    constexpr decltype(auto) operator()(A&&... arguments) const {
        return (*to_)(static_cast<A&&>(arguments)...);
    }
};
template <class T>
constexpr reference_wrapper<T> ref(T& to) {
    return to;
}
template <class T>
constexpr reference_wrapper<const T> cref(const T& to) {
    return to;
}
template <class F, class Object, class... A>
constexpr decltype(auto) workbook_of_object(F f, Object&& object, A&&... arguments) {
    if constexpr (is_pointer_v<remove_reference_t<Object>>)
        return (object->*f)(static_cast<A&&>(arguments)...);
    else
        return (object.*f)(static_cast<A&&>(arguments)...);
}
template <class F, class... A>
constexpr decltype(auto) invoke(F&& f, A&&... arguments) {
    if constexpr (is_member_function_pointer_v<remove_reference_t<F>>)
        return workbook_of_object(f, static_cast<A&&>(arguments)...);
    else
        return static_cast<F&&>(f)(static_cast<A&&>(arguments)...);
}

template <class Call>
class function;
template <class R, class... A>
class function<R(A...)> {
    // What is kept, and how to call, copy and end it.
    struct Kept {
        virtual ~Kept() {}
        virtual R call(A... arguments) = 0;
        virtual Kept* copy() const = 0;
    };
    template <class F>
    struct Of : Kept {
        F object;
        explicit Of(const F& object) : object(object) {}
        R call(A... arguments) override { return static_cast<R>(object(static_cast<A&&>(arguments)...)); }
        Kept* copy() const override { return new Of(object); }
    };
    Kept* kept_ = nullptr;

   public:
    using result_type = R;
    function() = default;
    function(decltype(nullptr)) {}
    template <class F, class = enable_if_t<!is_same_v<decay_t<F>, function>>>
    function(F object) : kept_(new Of<F>(object)) {}
    function(const function& other) : kept_(other.kept_ != nullptr ? other.kept_->copy() : nullptr) {}
    function(function&& other) noexcept : kept_(other.kept_) { other.kept_ = nullptr; }
    function& operator=(function other) noexcept {
        Kept* const kept = kept_;
        kept_ = other.kept_;
        other.kept_ = kept;
        return *this;
    }
    ~function() { delete kept_; }
    R operator()(A... arguments) const { return kept_->call(static_cast<A&&>(arguments)...); }
    explicit operator bool() const { return kept_ != nullptr; }
    friend bool operator==(const function& f, decltype(nullptr)) { return f.kept_ == nullptr; }
    friend bool operator!=(const function& f, decltype(nullptr)) { return f.kept_ != nullptr; }
};
template <class R, class... A>
function(R (*)(A...)) -> function<R(A...)>;

}  // namespace std
