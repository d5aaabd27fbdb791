// The functions for float and double are the compiler's own. Here: the constants, what C++ adds for
// integer arguments (they count as double), and the names in `std`.
#pragma once

#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define HUGE_VAL (__builtin_bit_cast(double, 0x7ff0000000000000LL))
#define HUGE_VALF (__builtin_bit_cast(float, 0x7f800000))
#define INFINITY HUGE_VALF
#define NAN (__builtin_bit_cast(float, 0x7fc00000))

namespace workbook {

template <class T>
struct is_integer {
    enum { value = false };
};
#define WORKBOOK_INTEGER(type) \
    template <>                \
    struct is_integer<type> {  \
        enum { value = true }; \
    };
WORKBOOK_INTEGER(bool)
WORKBOOK_INTEGER(char)
WORKBOOK_INTEGER(signed char)
WORKBOOK_INTEGER(unsigned char)
WORKBOOK_INTEGER(short)
WORKBOOK_INTEGER(unsigned short)
WORKBOOK_INTEGER(int)
WORKBOOK_INTEGER(unsigned int)
WORKBOOK_INTEGER(long)
WORKBOOK_INTEGER(unsigned long)
WORKBOOK_INTEGER(long long)
WORKBOOK_INTEGER(unsigned long long)
#undef WORKBOOK_INTEGER

template <bool condition>
struct only_if {};
template <>
struct only_if<true> {
    using real = double;
};

}  // namespace workbook

#define WORKBOOK_UNARY(function)                                                               \
    template <class T>                                                                         \
    constexpr typename workbook::only_if<workbook::is_integer<T>::value>::real function(T x) { \
        return ::function(static_cast<double>(x));                                             \
    }                                                                                          \
    namespace std {                                                                            \
    using ::function;                                                                          \
    }
#define WORKBOOK_BINARY(function)                                              \
    template <class T, class U>                                                \
    constexpr typename workbook::only_if<workbook::is_integer<T>::value &&     \
                                         workbook::is_integer<U>::value>::real \
    function(T x, U y) {                                                       \
        return ::function(static_cast<double>(x), static_cast<double>(y));     \
    }                                                                          \
    namespace std {                                                            \
    using ::function;                                                          \
    }

WORKBOOK_UNARY(acos)
WORKBOOK_UNARY(asin)
WORKBOOK_UNARY(atan)
WORKBOOK_UNARY(cbrt)
WORKBOOK_UNARY(ceil)
WORKBOOK_UNARY(cos)
WORKBOOK_UNARY(cosh)
WORKBOOK_UNARY(erf)
WORKBOOK_UNARY(exp)
WORKBOOK_UNARY(exp2)
WORKBOOK_UNARY(fabs)
WORKBOOK_UNARY(floor)
WORKBOOK_UNARY(log)
WORKBOOK_UNARY(log10)
WORKBOOK_UNARY(log2)
WORKBOOK_UNARY(rint)
WORKBOOK_UNARY(round)
WORKBOOK_UNARY(sin)
WORKBOOK_UNARY(sinh)
WORKBOOK_UNARY(sqrt)
WORKBOOK_UNARY(tan)
WORKBOOK_UNARY(tanh)
WORKBOOK_UNARY(trunc)
WORKBOOK_BINARY(atan2)
WORKBOOK_BINARY(fmax)
WORKBOOK_BINARY(fmin)
WORKBOOK_BINARY(fmod)
WORKBOOK_BINARY(hypot)
WORKBOOK_BINARY(pow)
#undef WORKBOOK_UNARY
#undef WORKBOOK_BINARY

namespace std {
using ::abs;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::lround;
using ::lroundf;
using ::signbit;
}  // namespace std
