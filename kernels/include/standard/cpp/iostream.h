// std::cout and std::cerr for messages of a host function: text, numbers, pointers. Left out: formats, input.
#pragma once
#include "cpp/string.h"
#include "stddef.h"

namespace std {

struct ostream {
    const ostream& operator<<(const char* text) const { return printf("%s", text), *this; }
    const ostream& operator<<(const string& text) const { return printf("%s", text.c_str()), *this; }
    const ostream& operator<<(char c) const { return printf("%c", c), *this; }
    const ostream& operator<<(signed char c) const { return printf("%c", c), *this; }
    const ostream& operator<<(unsigned char c) const { return printf("%c", c), *this; }
    const ostream& operator<<(bool value) const { return printf("%d", value ? 1 : 0), *this; }
    const ostream& operator<<(short value) const { return printf("%d", value), *this; }
    const ostream& operator<<(unsigned short value) const { return printf("%u", value), *this; }
    const ostream& operator<<(int value) const { return printf("%d", value), *this; }
    const ostream& operator<<(unsigned int value) const { return printf("%u", value), *this; }
    const ostream& operator<<(long value) const { return printf("%ld", value), *this; }
    const ostream& operator<<(unsigned long value) const { return printf("%lu", value), *this; }
    const ostream& operator<<(long long value) const { return printf("%lld", value), *this; }
    const ostream& operator<<(unsigned long long value) const { return printf("%llu", value), *this; }
    const ostream& operator<<(float value) const { return printf("%g", value), *this; }
    const ostream& operator<<(double value) const { return printf("%g", value), *this; }
    const ostream& operator<<(const void* pointer) const { return printf("%p", pointer), *this; }
    const ostream& operator<<(const ostream& (*manipulator)(const ostream&)) const {
        return manipulator(*this);
    }
    const ostream& flush() const { return *this; }
};
inline constexpr ostream cout{}, cerr{}, clog{};
inline const ostream& endl(const ostream& stream) { return stream << '\n'; }
inline const ostream& flush(const ostream& stream) { return stream; }

}  // namespace std
