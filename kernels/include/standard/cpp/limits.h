// std::numeric_limits of the built-in numbers.
#pragma once
#include "float.h"
#include "limits.h"
#include "math.h"

namespace std {

enum float_round_style { round_toward_zero = 0, round_to_nearest = 1 };

template <class T>
struct numeric_limits {
    static constexpr bool is_specialized = false;
};
#define WORKBOOK_WHOLE(type, least, most, bits)                                  \
    template <>                                                                  \
    struct numeric_limits<type> {                                                \
        static constexpr bool is_specialized = true, is_integer = true, is_exact = true; \
        static constexpr bool is_signed = static_cast<type>(-1) < static_cast<type>(0);                    \
        static constexpr bool has_infinity = false, has_quiet_NaN = false;       \
        static constexpr int digits = bits, digits10 = bits * 3 / 10, radix = 2; \
        static constexpr type min() noexcept { return least; }                   \
        static constexpr type lowest() noexcept { return least; }                \
        static constexpr type max() noexcept { return most; }                    \
        static constexpr type epsilon() noexcept { return 0; }                   \
    };
WORKBOOK_WHOLE(bool, false, true, 1)
WORKBOOK_WHOLE(char, CHAR_MIN, CHAR_MAX, 7)
WORKBOOK_WHOLE(signed char, SCHAR_MIN, SCHAR_MAX, 7)
WORKBOOK_WHOLE(unsigned char, 0, UCHAR_MAX, 8)
WORKBOOK_WHOLE(short, SHRT_MIN, SHRT_MAX, 15)
WORKBOOK_WHOLE(unsigned short, 0, USHRT_MAX, 16)
WORKBOOK_WHOLE(int, INT_MIN, INT_MAX, 31)
WORKBOOK_WHOLE(unsigned int, 0, UINT_MAX, 32)
WORKBOOK_WHOLE(long, LONG_MIN, LONG_MAX, 63)
WORKBOOK_WHOLE(unsigned long, 0, ULONG_MAX, 64)
WORKBOOK_WHOLE(long long, LLONG_MIN, LLONG_MAX, 63)
WORKBOOK_WHOLE(unsigned long long, 0, ULLONG_MAX, 64)
#undef WORKBOOK_WHOLE
#define WORKBOOK_REAL(type, prefix, infinite, nan)                                                 \
    template <>                                                                                    \
    struct numeric_limits<type> {                                                                  \
        static constexpr bool is_specialized = true, is_integer = false, is_exact = false;         \
        static constexpr bool is_signed = true, has_infinity = true, has_quiet_NaN = true;         \
        static constexpr bool is_iec559 = true;                                                    \
        static constexpr int digits = prefix##_MANT_DIG, digits10 = prefix##_DIG, radix = 2;       \
        static constexpr type min() noexcept { return prefix##_MIN; }                              \
        static constexpr type lowest() noexcept { return -prefix##_MAX; }                          \
        static constexpr type max() noexcept { return prefix##_MAX; }                              \
        static constexpr type epsilon() noexcept { return prefix##_EPSILON; }                      \
        static constexpr type infinity() noexcept { return infinite; }                                 \
        static constexpr type quiet_NaN() noexcept { return nan; }                                 \
    };
WORKBOOK_REAL(float, FLT, HUGE_VALF, NAN)
WORKBOOK_REAL(double, DBL, HUGE_VAL, __builtin_bit_cast(double, 0x7ff8000000000000LL))
#undef WORKBOOK_REAL
template <class T>
struct numeric_limits<const T> : numeric_limits<T> {};

}  // namespace std
