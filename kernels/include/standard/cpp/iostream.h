// std::cout and std::cerr for messages of a host function, and streams into a std::string: text, numbers, pointers, and how numbers are
// written. Left out: input, numbers with exponents.
#pragma once
#include "cpp/stdexcept.h"
#include "cpp/string.h"
#include "stddef.h"

namespace std {

struct ostream {
    // Prints, if there is none.
    string* into = nullptr;
    int width_ = 0, precision_ = 6, base_ = 10;
    char fill_ = ' ';
    bool fixed_ = false, left_ = false, words_ = false;

    constexpr ostream() = default;
    explicit ostream(string* into) : into(into) {}
    ostream(const ostream&) = delete;

    ostream& write(const string& text) {
        string padded;
        for (int i = static_cast<int>(text.size()); !left_ && i < width_; ++i) padded += fill_;
        padded += text;
        for (int i = static_cast<int>(text.size()); left_ && i < width_; ++i) padded += fill_;
        width_ = 0;
        if (into != nullptr)
            *into += padded;
        else
            printf("%s", padded.c_str());
        return *this;
    }
    ostream& operator<<(const char* text) { return write(text); }
    ostream& operator<<(const string& text) { return write(text); }
    ostream& operator<<(char c) { return write(string(1, c)); }
    ostream& operator<<(signed char c) { return *this << static_cast<char>(c); }
    ostream& operator<<(unsigned char c) { return *this << static_cast<char>(c); }
    ostream& operator<<(bool value) { return write(words_ ? value ? "true" : "false" : value ? "1" : "0"); }
    ostream& operator<<(short value) { return *this << static_cast<long long>(value); }
    ostream& operator<<(unsigned short value) { return *this << static_cast<unsigned long long>(value); }
    ostream& operator<<(int value) { return *this << static_cast<long long>(value); }
    ostream& operator<<(unsigned int value) { return *this << static_cast<unsigned long long>(value); }
    ostream& operator<<(long value) { return *this << static_cast<long long>(value); }
    ostream& operator<<(unsigned long value) { return *this << static_cast<unsigned long long>(value); }
    ostream& operator<<(long long value) {
        return base_ == 10 ? write(to_string(value)) : *this << static_cast<unsigned long long>(value);
    }
    ostream& operator<<(unsigned long long value) {
        if (base_ == 10) return write(to_string(value));
        string digits;
        do digits = string(1, "0123456789abcdef"[value % base_]) + digits;
        while ((value /= base_) != 0);
        return write(digits);
    }
    ostream& operator<<(float value) { return *this << static_cast<double>(value); }
    ostream& operator<<(double value) {
        if (!(value < 1e18 && value > -1e18)) return write(value != value ? "nan" : value > 0 ? "inf" : "-inf");
        const double size = value < 0 ? -value : value;
        // So many digits in all, or so many behind the point.
        int decimals = precision_;
        for (double rest = size; !fixed_ && rest >= 1 && decimals > 0; rest /= 10) --decimals;
        unsigned long long scale = 1;
        for (int i = 0; i < decimals && scale < 1000000000; ++i) scale *= 10;
        const unsigned long long whole = static_cast<unsigned long long>(size);
        const unsigned long long parts = static_cast<unsigned long long>((size - static_cast<double>(whole)) * scale + 0.5);
        string text = (value < 0 ? "-" : "") + to_string(whole + parts / scale);
        string behind = to_string(scale + parts % scale).c_str() + 1;
        size_t kept = behind.size();
        while (!fixed_ && kept > 0 && behind[kept - 1] == '0') --kept;
        return write(kept > 0 ? text + "." + string(behind.c_str(), kept) : text);
    }
    ostream& operator<<(const void* pointer) {
        const int base = base_;
        base_ = 16;
        *this << "0x" << reinterpret_cast<unsigned long long>(pointer);
        base_ = base;
        return *this;
    }
    ostream& operator<<(ostream& (*manipulator)(ostream&)) { return manipulator(*this); }
    ostream& flush() { return *this; }
    int precision(int digits) { return precision_ = digits; }
    int width(int least) { return width_ = least; }
};
inline ostream cout{}, cerr{}, clog{};

inline ostream& endl(ostream& stream) { return stream << '\n'; }
inline ostream& flush(ostream& stream) { return stream; }
#define WORKBOOK_MANIPULATOR(name, effect)     \
    inline ostream& name(ostream& stream) {    \
        stream.effect;                         \
        return stream;                         \
    }
WORKBOOK_MANIPULATOR(fixed, fixed_ = true)
WORKBOOK_MANIPULATOR(defaultfloat, fixed_ = false)
WORKBOOK_MANIPULATOR(left, left_ = true)
WORKBOOK_MANIPULATOR(right, left_ = false)
WORKBOOK_MANIPULATOR(hex, base_ = 16)
WORKBOOK_MANIPULATOR(dec, base_ = 10)
WORKBOOK_MANIPULATOR(boolalpha, words_ = true)
WORKBOOK_MANIPULATOR(noboolalpha, words_ = false)
WORKBOOK_MANIPULATOR(scientific, fixed_ = false)
#undef WORKBOOK_MANIPULATOR

// The manipulators with a value.
namespace workbook_manipulators {
struct Precision {
    int value;
};
struct Width {
    int value;
};
struct Fill {
    char value;
};
inline ostream& operator<<(ostream& stream, Precision p) {
    stream.precision_ = p.value;
    return stream;
}
inline ostream& operator<<(ostream& stream, Width w) {
    stream.width_ = w.value;
    return stream;
}
inline ostream& operator<<(ostream& stream, Fill f) {
    stream.fill_ = f.value;
    return stream;
}
}  // namespace workbook_manipulators
inline workbook_manipulators::Precision setprecision(int digits) { return {digits}; }
inline workbook_manipulators::Width setw(int least) { return {least}; }
inline workbook_manipulators::Fill setfill(char c) { return {c}; }

struct ostringstream : ostream {
    ostringstream() : ostream(&text_) {}
    string str() const { return text_; }
    void str(const string& text) { text_ = text; }

   private:
    string text_;
};
using stringstream = ostringstream;

}  // namespace std
