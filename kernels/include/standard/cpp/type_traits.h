// Questions about types, and types made from others, as C++17 names them.
#pragma once
#include "stddef.h"

namespace std {

template <class T, T v>
struct integral_constant {
    static constexpr T value = v;
    using value_type = T;
    using type = integral_constant;
    constexpr operator T() const noexcept { return v; }
    constexpr T operator()() const noexcept { return v; }
};
template <bool b>
using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <bool condition, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
    using type = T;
};
template <bool condition, class T = void>
using enable_if_t = typename enable_if<condition, T>::type;
template <bool condition, class T, class F>
struct conditional {
    using type = T;
};
template <class T, class F>
struct conditional<false, T, F> {
    using type = F;
};
template <bool condition, class T, class F>
using conditional_t = typename conditional<condition, T, F>::type;
template <class...>
using void_t = void;

// A type made from another by leaving something out or adding it.
#define WORKBOOK_MADE(name, pattern, result)     \
    template <class T>                           \
    struct name {                                \
        using type = T;                          \
    };                                           \
    template <class T>                           \
    struct name<pattern> {                       \
        using type = result;                     \
    };                                           \
    template <class T>                           \
    using name##_t = typename name<T>::type;
WORKBOOK_MADE(remove_const, const T, T)
WORKBOOK_MADE(remove_volatile, volatile T, T)
WORKBOOK_MADE(remove_pointer, T*, T)
WORKBOOK_MADE(remove_extent, T[], T)
#undef WORKBOOK_MADE
template <class T, size_t n>
struct remove_extent<T[n]> {
    using type = T;
};
template <class T>
struct remove_reference {
    using type = T;
};
template <class T>
struct remove_reference<T&> {
    using type = T;
};
template <class T>
struct remove_reference<T&&> {
    using type = T;
};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;
template <class T>
using remove_cv_t = remove_const_t<remove_volatile_t<T>>;
template <class T>
struct remove_cv {
    using type = remove_cv_t<T>;
};
template <class T>
struct add_const {
    using type = const T;
};
template <class T>
using add_const_t = const T;
template <class T>
using add_pointer_t = remove_reference_t<T>*;
template <class T>
using add_lvalue_reference_t = T&;
template <class T>
T&& declval() noexcept;

// A question with a yes for these types.
#define WORKBOOK_QUESTION(name)  \
    template <class T>           \
    struct name : false_type {}; \
    template <class T>           \
    inline constexpr bool name##_v = name<T>::value;
#define WORKBOOK_YES(name, ...) \
    template <>                 \
    struct name<__VA_ARGS__> : true_type {};
#define WORKBOOK_IF(name, ...)                           \
    template <class T>                                   \
    struct name : bool_constant<static_cast<bool>(__VA_ARGS__)> {}; \
    template <class T>                                   \
    inline constexpr bool name##_v = name<T>::value;

template <class T, class U>
struct is_same : false_type {};
template <class T>
struct is_same<T, T> : true_type {};
template <class T, class U>
inline constexpr bool is_same_v = is_same<T, U>::value;

}  // namespace std

namespace workbook {

template <class T>
struct whole : std::false_type {};
template <class T>
struct real : std::false_type {};
#define WORKBOOK_WHOLE(type, without_sign, with_sign) \
    template <>                                       \
    struct whole<type> : std::true_type {             \
        using unsigned_type = without_sign;           \
        using signed_type = with_sign;                \
    };
WORKBOOK_WHOLE(bool, bool, bool)
WORKBOOK_WHOLE(char, unsigned char, signed char)
WORKBOOK_WHOLE(signed char, unsigned char, signed char)
WORKBOOK_WHOLE(unsigned char, unsigned char, signed char)
WORKBOOK_WHOLE(wchar_t, unsigned int, int)
WORKBOOK_WHOLE(char16_t, unsigned short, short)
WORKBOOK_WHOLE(char32_t, unsigned int, int)
WORKBOOK_WHOLE(short, unsigned short, short)
WORKBOOK_WHOLE(unsigned short, unsigned short, short)
WORKBOOK_WHOLE(int, unsigned int, int)
WORKBOOK_WHOLE(unsigned int, unsigned int, int)
WORKBOOK_WHOLE(long, unsigned long, long)
WORKBOOK_WHOLE(unsigned long, unsigned long, long)
WORKBOOK_WHOLE(long long, unsigned long long, long long)
WORKBOOK_WHOLE(unsigned long long, unsigned long long, long long)
#undef WORKBOOK_WHOLE
template <>
struct real<float> : std::true_type {};
template <>
struct real<double> : std::true_type {};

template <class T, bool number>
struct has_sign : std::false_type {};
template <class T>
struct has_sign<T, true> : std::bool_constant<(T(-1) < T(0))> {};

}  // namespace workbook

namespace std {

WORKBOOK_IF(is_void, is_same_v<remove_cv_t<T>, void>)
WORKBOOK_IF(is_integral, workbook::whole<remove_cv_t<T>>::value)
WORKBOOK_IF(is_floating_point, workbook::real<remove_cv_t<T>>::value)
WORKBOOK_IF(is_arithmetic, is_integral_v<T> || is_floating_point_v<T>)
WORKBOOK_IF(is_signed, workbook::has_sign<remove_cv_t<T>, is_arithmetic_v<T>>::value)
WORKBOOK_IF(is_unsigned, is_arithmetic_v<T> && !is_signed_v<T>)
WORKBOOK_IF(is_enum, __is_enum(T))
WORKBOOK_IF(is_class, __is_class(T))
WORKBOOK_IF(is_union, __is_union(T))
WORKBOOK_IF(is_empty, __is_empty(T))
WORKBOOK_IF(is_trivially_copyable, __is_trivially_copyable(T))
WORKBOOK_IF(is_trivial, __is_trivial(T))
WORKBOOK_IF(is_standard_layout, __is_standard_layout(T))
WORKBOOK_QUESTION(is_const)
template <class T>
struct is_const<const T> : true_type {};
WORKBOOK_QUESTION(is_pointer)
template <class T>
struct is_pointer<T*> : true_type {};
WORKBOOK_QUESTION(is_lvalue_reference)
template <class T>
struct is_lvalue_reference<T&> : true_type {};
WORKBOOK_QUESTION(is_rvalue_reference)
template <class T>
struct is_rvalue_reference<T&&> : true_type {};
WORKBOOK_IF(is_reference, is_lvalue_reference_v<T> || is_rvalue_reference_v<T>)
WORKBOOK_QUESTION(is_array)
template <class T>
struct is_array<T[]> : true_type {};
template <class T, size_t n>
struct is_array<T[n]> : true_type {};
#undef WORKBOOK_QUESTION
#undef WORKBOOK_YES
#undef WORKBOOK_IF

template <class T, class U>
struct is_base_of : bool_constant<__is_base_of(T, U)> {};
template <class T, class U>
inline constexpr bool is_base_of_v = is_base_of<T, U>::value;
template <class T, class... A>
struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T, class... A>
inline constexpr bool is_constructible_v = is_constructible<T, A...>::value;
template <class T, class U>
struct is_convertible : bool_constant<__is_convertible_to(T, U)> {};
template <class T, class U>
inline constexpr bool is_convertible_v = is_convertible<T, U>::value;

template <class T>
struct make_unsigned {
    using type = typename workbook::whole<T>::unsigned_type;
};
template <class T>
using make_unsigned_t = typename make_unsigned<T>::type;
template <class T>
struct make_signed {
    using type = typename workbook::whole<T>::signed_type;
};
template <class T>
using make_signed_t = typename make_signed<T>::type;
template <class T>
struct underlying_type {
    using type = __underlying_type(T);
};
template <class T>
using underlying_type_t = typename underlying_type<T>::type;
template <class T>
struct decay {
    using bare = remove_reference_t<T>;
    using type = conditional_t<is_array_v<bare>, typename remove_extent<bare>::type*, remove_cv_t<bare>>;
};
template <class R, class... A>
struct decay<R(A...)> {
    using type = R (*)(A...);
};
template <class T>
using decay_t = typename decay<T>::type;
template <class T, class U>
struct common_type {
    using type = decay_t<decltype(true ? declval<T>() : declval<U>())>;
};
template <class T, class U>
using common_type_t = typename common_type<T, U>::type;
template <class F, class... A>
struct invoke_result {
    using type = decltype(declval<F>()(declval<A>()...));
};
template <class F, class... A>
using invoke_result_t = typename invoke_result<F, A...>::type;

template <class T>
using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;
template <class T>
struct remove_cvref {
    using type = remove_cvref_t<T>;
};
template <class T>
struct type_identity {
    using type = T;
};
template <class T>
using type_identity_t = T;
template <class... B>
struct conjunction : bool_constant<(... && B::value)> {};
template <class... B>
inline constexpr bool conjunction_v = (... && B::value);
template <class... B>
struct disjunction : bool_constant<(... || B::value)> {};
template <class... B>
inline constexpr bool disjunction_v = (... || B::value);
template <class B>
struct negation : bool_constant<!B::value> {};
template <class T>
struct is_function : bool_constant<!is_const<const T>::value && !is_reference<T>::value> {};
template <class T>
inline constexpr bool is_function_v = is_function<T>::value;
template <class F, class... A>
struct is_invocable {
    template <class G>
    static auto test(int) -> decltype(declval<G>()(declval<A>()...), true_type());
    template <class G>
    static false_type test(...);
    static constexpr bool value = decltype(test<F>(0))::value;
};
template <class F, class... A>
inline constexpr bool is_invocable_v = is_invocable<F, A...>::value;
template <class T>
struct is_default_constructible : bool_constant<__is_constructible(T)> {};
template <class T>
inline constexpr bool is_default_constructible_v = is_default_constructible<T>::value;
template <class T>
struct is_copy_constructible : bool_constant<__is_constructible(T, const T&)> {};
template <class T>
inline constexpr bool is_copy_constructible_v = is_copy_constructible<T>::value;
template <class T>
struct is_move_constructible : bool_constant<__is_constructible(T, T&&)> {};
template <class T>
inline constexpr bool is_move_constructible_v = is_move_constructible<T>::value;
template <class T>
struct is_null_pointer : is_same<remove_cv_t<T>, decltype(nullptr)> {};
template <class T>
inline constexpr bool is_null_pointer_v = is_null_pointer<T>::value;
constexpr bool is_constant_evaluated() noexcept { return __builtin_is_constant_evaluated(); }

template <class T>
struct is_member_function_pointer : false_type {};
template <class R, class C, class... A>
struct is_member_function_pointer<R (C::*)(A...)> : true_type {};
template <class R, class C, class... A>
struct is_member_function_pointer<R (C::*)(A...) const> : true_type {};
template <class T>
inline constexpr bool is_member_function_pointer_v = is_member_function_pointer<remove_cv_t<T>>::value;

}  // namespace std
