// std::string and std::to_string, for the messages of host functions. Left out: formats, numbers read from text but whole ones.
#pragma once
#include "cpp/utility.h"
#include "cpp/vector.h"

namespace std {

class string {
   public:
    static constexpr size_t npos = static_cast<size_t>(-1);
    using value_type = char;

    string() : string("") {}
    template <class I, class = decltype(*declval<I&>()++), class = enable_if_t<!is_convertible_v<I, const char*>>>
    string(I first, I last) {
        for (; first != last; ++first) push_back(*first);
    }
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
    void pop_back() { resize(size() - 1); }
    void reserve(size_t room) { text_.reserve(room + 1); }
    void resize(size_t size, char c = 0) {
        while (this->size() < size) push_back(c);
        if (this->size() > size) text_.resize(size + 1), text_[size] = 0;
    }
    string substr(size_t from, size_t most = npos) const {
        const size_t left = size() - from;
        return string(c_str() + from, left < most ? left : most);
    }
    size_t find(const string& what, size_t from = 0) const {
        for (size_t i = from; i + what.size() <= size(); ++i)
            if (substr(i, what.size()) == what) return i;
        return npos;
    }
    size_t find(char c, size_t from = 0) const { return find(string(1, c), from); }
    size_t rfind(char c) const {
        for (size_t i = size(); i > 0; --i)
            if (text_[i - 1] == c) return i - 1;
        return npos;
    }
    size_t find_last_of(char c) const { return rfind(c); }
    int compare(const string& other) const { return *this < other ? -1 : other < *this ? 1 : 0; }
    char& front() { return text_[0]; }
    char& back() { return text_[size() - 1]; }
    char* begin() { return text_.data(); }
    char* end() { return text_.data() + size(); }
    char& at(size_t i) { return text_[i]; }

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
inline int stoi(const string& text) {
    size_t i = 0;
    while (i < text.size() && text[i] == ' ') ++i;
    const bool negative = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    int value = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) value = 10 * value + (text[i] - '0');
    return negative ? -value : value;
}
inline namespace literals {
inline namespace string_literals {
#pragma nv_diag_suppress 2506
inline string operator""s(const char* text, size_t size) { return string(text, size); }
}  // namespace string_literals
}  // namespace literals

}  // namespace std
