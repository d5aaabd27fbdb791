// Operators as objects.
#pragma once

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

}  // namespace std
