// std::string and std::to_string, for the messages of host functions. Left out: searching, formats, streams of strings.
#pragma once
#include "cpp/utility.h"
#include "cpp/vector.h"

namespace std {

class string {
   public:
    string() : string("") {}
    string(const char* text) { append(text, end_of(text)); }
    string(const char* text, size_t size) { append(text, text + size); }
    string(size_t size, char c) {
        for (size_t i = 0; i < size; ++i) push_back(c);
    }

    string& operator+=(const string& other) {
        // It may be this one.
        const size_t size = other.size();
        for (size_t i = 0; i < size; ++i) push_back(other[i]);
        return *this;
    }
    string& operator+=(char c) {
        push_back(c);
        return *this;
    }
    string& append(const string& other) { return *this += other; }
    void push_back(char c) {
        if (text_.empty()) text_.push_back(0);
        text_.back() = c;
        text_.push_back(0);
    }
    void clear() { text_.assign(1, '\0'); }

    const char* c_str() const { return text_.empty() ? "" : text_.data(); }
    const char* data() const { return c_str(); }
    size_t size() const { return text_.empty() ? 0 : text_.size() - 1; }
    size_t length() const { return size(); }
    bool empty() const { return size() == 0; }
    char& operator[](size_t i) { return text_[i]; }
    const char& operator[](size_t i) const { return text_[i]; }
    const char* begin() const { return c_str(); }
    const char* end() const { return c_str() + size(); }

    friend string operator+(const string& a, const string& b) {
        string both = a;
        both += b;
        return both;
    }
    friend bool operator==(const string& a, const string& b) {
        if (a.size() != b.size()) return false;
        for (size_t i = 0; i < a.size(); ++i)
            if (a[i] != b[i]) return false;
        return true;
    }
    friend bool operator!=(const string& a, const string& b) { return !(a == b); }
    friend bool operator<(const string& a, const string& b) {
        size_t i = 0;
        while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
        return i < b.size() && (i == a.size() || a[i] < b[i]);
    }

   private:
    // With the zero behind it.
    vector<char> text_;

    static const char* end_of(const char* text) {
        while (*text != 0) ++text;
        return text;
    }
    void append(const char* first, const char* last) {
        text_.assign(first, last);
        text_.push_back(0);
    }
};

inline string to_string(unsigned long long value) {
    char digits[20];
    size_t count = 0;
    do digits[count++] = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    string text;
    while (count > 0) text += digits[--count];
    return text;
}
inline string to_string(long long value) {
    const unsigned long long size = value < 0 ? 0 - static_cast<unsigned long long>(value) : value;
    return value < 0 ? "-" + to_string(size) : to_string(size);
}
inline string to_string(int value) { return to_string(static_cast<long long>(value)); }
inline string to_string(long value) { return to_string(static_cast<long long>(value)); }
inline string to_string(unsigned value) { return to_string(static_cast<unsigned long long>(value)); }
inline string to_string(unsigned long value) { return to_string(static_cast<unsigned long long>(value)); }
// With six decimals, as in the library; of numbers below 10^12.
inline string to_string(double value) {
    const double size = value < 0 ? -value : value;
    const unsigned long long millionths = static_cast<unsigned long long>(size * 1e6 + 0.5);
    const string decimals = to_string(1000000 + millionths % 1000000);
    return (value < 0 ? "-" : "") + to_string(millionths / 1000000) + "." + (decimals.c_str() + 1);
}
inline string to_string(float value) { return to_string(static_cast<double>(value)); }

}  // namespace std
