// Operators as objects; std::function of plain objects, such as lambdas that capture numbers, pointers and references.
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

template <class Call>
class function;
template <class R, class... A>
class function<R(A...)> {
    alignas(16) unsigned char object_[128];
    R (*call_)(const void*, A...) = nullptr;

   public:
    function() = default;
    function(decltype(nullptr)) {}
    template <class F, class = enable_if_t<!is_same_v<decay_t<F>, function>>>
    function(F object) {
        static_assert(sizeof(F) <= sizeof object_ && is_trivially_copyable_v<F>,
                      "here a std::function holds 128 bytes of plain values: capture by reference");
        new (object_) F(object);
        call_ = [](const void* object, A... arguments) -> R {
            return (*const_cast<F*>(static_cast<const F*>(object)))(arguments...);
        };
    }
    R operator()(A... arguments) const { return call_(object_, arguments...); }
    explicit operator bool() const { return call_ != nullptr; }
};

}  // namespace std
