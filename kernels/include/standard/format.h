// snprintf and sprintf of a host function: text into memory of its own. Halves are rounded up. Left out: exponents (%e, %a) and %n.
#pragma once
#include "stddef.h"

namespace workbook {

// An argument: a whole number and its size, a number with a point, or a text.
struct Argument {
    unsigned long long bits = 0;
    int size = 8;
    bool negative = false;
    double real = 0;
    const char* text = nullptr;

    Argument() = default;
    Argument(int value) : bits(static_cast<unsigned>(value)), size(4), negative(value < 0) {}
    Argument(unsigned value) : bits(value), size(4) {}
    Argument(long value) : bits(value), negative(value < 0) {}
    Argument(unsigned long value) : bits(value) {}
    Argument(long long value) : bits(value), negative(value < 0) {}
    Argument(unsigned long long value) : bits(value) {}
    Argument(double value) : negative(value < 0), real(value < 0 ? -value : value) {}
    Argument(const char* value) : bits(reinterpret_cast<unsigned long long>(value)), text(value) {}
    Argument(const void* value) : bits(reinterpret_cast<unsigned long long>(value)) {}

    // Its size without a sign.
    unsigned long long magnitude() const {
        return !negative ? bits : size == 4 ? 0u - static_cast<unsigned>(bits) : 0ull - bits;
    }
};

// What stands between a `%` and its letter.
struct Field {
    bool left = false, zeros = false, plus = false, blank = false, alternate = false;
    int width = 0, precision = -1;
};

// Text that grows, cut where its memory ends.
class Text {
    char* to_;
    size_t room_, length_ = 0;

   public:
    Text(char* to, size_t room) : to_(to), room_(room) {}
    void put(char c) {
        if (length_ + 1 < room_) to_[length_] = c;
        ++length_;
    }
    int end() {
        if (room_ > 0) to_[length_ < room_ ? length_ : room_ - 1] = 0;
        return static_cast<int>(length_);
    }
    // A text within its width; zeros go between the first characters, a sign, and the others.
    void padded(const Field& field, const char* text, int length, int sign, bool number) {
        const int missing = field.width - length;
        const bool zeros = field.zeros && number && !field.left;
        for (int i = 0; i < missing && !field.left && !zeros; ++i) put(' ');
        for (int i = 0; i < sign; ++i) put(text[i]);
        for (int i = 0; i < missing && zeros; ++i) put('0');
        for (int i = sign; i < length; ++i) put(text[i]);
        for (int i = 0; i < missing && field.left; ++i) put(' ');
    }
    void whole(const Field& field, unsigned long long value, int base, const char* digits, const char* sign) {
        char text[96];
        int at = 96, count = 0, signs = 0;
        for (; value != 0 || count < (field.precision < 0 ? 1 : field.precision < 64 ? field.precision : 64); ++count) {
            text[--at] = digits[value % base];
            value /= base;
        }
        while (sign[signs] != 0) ++signs;
        for (int i = signs; i > 0; --i) text[--at] = sign[i - 1];
        padded(field, text + at, 96 - at, signs, field.precision < 0);
    }
    void real(const Field& field, double value, const char* sign, bool shortest) {
        if (!(value < 1e18)) return padded(field, value != value ? "nan" : "inf", 3, 0, false);
        int decimals = field.precision < 0 ? 6 : field.precision < 17 ? field.precision : 17;
        if (shortest)
            for (double rest = value; rest >= 1 && decimals > 0; rest /= 10) --decimals;
        double scale = 1;
        for (int i = 0; i < decimals; ++i) scale *= 10;
        unsigned long long before = static_cast<unsigned long long>(value);
        unsigned long long behind = static_cast<unsigned long long>((value - static_cast<double>(before)) * scale + 0.5);
        if (behind >= static_cast<unsigned long long>(scale)) ++before, behind -= static_cast<unsigned long long>(scale);
        char text[96];
        int at = 96, signs = 0;
        for (int i = 0; i < decimals; ++i, behind /= 10) {
            if (shortest && at == 96 && behind % 10 == 0) continue;
            text[--at] = static_cast<char>('0' + behind % 10);
        }
        if (at < 96) text[--at] = '.';
        do text[--at] = static_cast<char>('0' + before % 10);
        while ((before /= 10) != 0);
        while (sign[signs] != 0) ++signs;
        for (int i = signs; i > 0; --i) text[--at] = sign[i - 1];
        padded(field, text + at, 96 - at, signs, true);
    }
};

inline int format(char* to, size_t room, const char* format, const Argument* next) {
    Text out(to, room);
    for (const char* f = format; *f != 0; ++f) {
        if (*f != '%') {
            out.put(*f);
            continue;
        }
        Field field;
        for (++f;; ++f) {
            if (*f == '-') field.left = true;
            else if (*f == '0') field.zeros = true;
            else if (*f == '+') field.plus = true;
            else if (*f == ' ') field.blank = true;
            else if (*f == '#') field.alternate = true;
            else break;
        }
        const auto number = [&] {
            if (*f == '*') return ++f, static_cast<int>((next++)->bits);
            int value = 0;
            for (; *f >= '0' && *f <= '9'; ++f) value = value < 100000 ? 10 * value + (*f - '0') : value;
            return value;
        };
        field.width = number();
        if (field.width < 0) field.left = true, field.width = -field.width;
        if (*f == '.') ++f, field.precision = number();
        while (*f == 'l' || *f == 'h' || *f == 'z' || *f == 't' || *f == 'j') ++f;
        if (*f == 0) break;
        const char* const plus = field.plus ? "+" : field.blank ? " " : "";
        if (*f == '%') {
            out.put('%');
            continue;
        }
        const Argument& a = *next++;
        switch (*f) {
            case 'd':
            case 'i': out.whole(field, a.magnitude(), 10, "0123456789", a.negative ? "-" : plus); break;
            case 'u': out.whole(field, a.bits, 10, "0123456789", ""); break;
            case 'o': out.whole(field, a.bits, 8, "01234567", field.alternate ? "0" : ""); break;
            case 'x': out.whole(field, a.bits, 16, "0123456789abcdef", field.alternate ? "0x" : ""); break;
            case 'X': out.whole(field, a.bits, 16, "0123456789ABCDEF", field.alternate ? "0X" : ""); break;
            case 'p': out.whole(field, a.bits, 16, "0123456789abcdef", "0x"); break;
            case 'c': {
                const char c = static_cast<char>(a.bits);
                out.padded(field, &c, 1, 0, false);
                break;
            }
            case 's': {
                int length = 0;
                while (length != field.precision && a.text[length] != 0) ++length;
                out.padded(field, a.text, length, 0, false);
                break;
            }
            case 'f':
            case 'F': out.real(field, a.real, a.negative ? "-" : plus, false); break;
            case 'g':
            case 'G': out.real(field, a.real, a.negative ? "-" : plus, true); break;
            default: __trap();
        }
    }
    return out.end();
}

}  // namespace workbook

template <class... A>
inline int snprintf(char* to, size_t room, const char* format, A... arguments) {
    const workbook::Argument all[sizeof...(A) + 1] = {workbook::Argument(arguments)...};
    return workbook::format(to, room, format, all);
}
template <class... A>
inline int sprintf(char* to, const char* format, A... arguments) {
    return snprintf(to, static_cast<size_t>(1) << 30, format, arguments...);
}
