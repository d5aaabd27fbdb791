// std::string_view: a text that belongs to another.
#pragma once
#include "cpp/string.h"

namespace std {

class string_view {
    const char* text_ = "";
    size_t size_ = 0;

   public:
    static constexpr size_t npos = static_cast<size_t>(-1);
    constexpr string_view() = default;
    constexpr string_view(const char* text) : text_(text) {
        while (text[size_] != 0) ++size_;
    }
    constexpr string_view(const char* text, size_t size) : text_(text), size_(size) {}
    string_view(const string& text) : text_(text.c_str()), size_(text.size()) {}
    explicit operator string() const { return string(text_, size_); }
    constexpr const char* data() const { return text_; }
    constexpr size_t size() const { return size_; }
    constexpr size_t length() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr const char* begin() const { return text_; }
    constexpr const char* end() const { return text_ + size_; }
    constexpr char operator[](size_t i) const { return text_[i]; }
    constexpr string_view substr(size_t from, size_t most = npos) const {
        return string_view(text_ + from, size_ - from < most ? size_ - from : most);
    }
    constexpr size_t find(char c, size_t from = 0) const {
        for (size_t i = from; i < size_; ++i)
            if (text_[i] == c) return i;
        return npos;
    }
    constexpr size_t rfind(char c) const {
        for (size_t i = size_; i > 0; --i)
            if (text_[i - 1] == c) return i - 1;
        return npos;
    }
    constexpr void remove_prefix(size_t count) {
        text_ += count;
        size_ -= count;
    }
    friend constexpr bool operator==(string_view a, string_view b) {
        if (a.size_ != b.size_) return false;
        for (size_t i = 0; i < a.size_; ++i)
            if (a.text_[i] != b.text_[i]) return false;
        return true;
    }
    friend constexpr bool operator!=(string_view a, string_view b) { return !(a == b); }
};
inline string& operator+=(string& text, string_view more) { return text += string(more); }

}  // namespace std
