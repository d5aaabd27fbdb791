// std::bitset.
#pragma once
#include "cpp/string.h"

namespace std {

template <size_t bits>
class bitset {
    unsigned long long words_[(bits + 63) / 64 + (bits == 0)] = {};

   public:
    class reference {
        bitset& of_;
        size_t at_;

       public:
        constexpr reference(bitset& of, size_t at) : of_(of), at_(at) {}
        constexpr operator bool() const { return of_.test(at_); }
        constexpr reference& operator=(bool value) {
            of_.set(at_, value);
            return *this;
        }
        constexpr reference& operator=(const reference& other) { return *this = static_cast<bool>(other); }
        constexpr reference& flip() { return *this = !of_.test(at_); }
    };
    constexpr bitset() = default;
    constexpr bitset(unsigned long long value) {
        for (size_t i = 0; i < bits && i < 64; i++) set(i, value >> i & 1);
    }
    constexpr bool test(size_t at) const { return words_[at / 64] >> at % 64 & 1; }
    constexpr bool operator[](size_t at) const { return test(at); }
    constexpr reference operator[](size_t at) { return reference(*this, at); }
    constexpr bitset& set(size_t at, bool value = true) {
        const unsigned long long bit = 1ull << at % 64;
        words_[at / 64] = value ? words_[at / 64] | bit : words_[at / 64] & ~bit;
        return *this;
    }
    constexpr bitset& set() {
        for (size_t i = 0; i < bits; i++) set(i);
        return *this;
    }
    constexpr bitset& reset(size_t at) { return set(at, false); }
    constexpr bitset& reset() { return *this = bitset(); }
    constexpr bitset& flip(size_t at) { return set(at, !test(at)); }
    constexpr bitset& flip() {
        for (size_t i = 0; i < bits; i++) flip(i);
        return *this;
    }
    constexpr size_t size() const { return bits; }
    constexpr size_t count() const {
        size_t found = 0;
        for (size_t i = 0; i < bits; i++) found += test(i);
        return found;
    }
    constexpr bool any() const { return count() > 0; }
    constexpr bool none() const { return count() == 0; }
    constexpr bool all() const { return count() == bits; }
    constexpr unsigned long long to_ullong() const { return words_[0]; }
    constexpr unsigned long to_ulong() const { return words_[0]; }
    string to_string() const {
        string text;
        for (size_t i = bits; i-- > 0;) text += test(i) ? '1' : '0';
        return text;
    }
    constexpr bitset operator~() const { return bitset(*this).flip(); }
    constexpr bitset& operator&=(const bitset& other) {
        for (size_t i = 0; i < bits; i++) set(i, test(i) && other.test(i));
        return *this;
    }
    constexpr bitset& operator|=(const bitset& other) {
        for (size_t i = 0; i < bits; i++) set(i, test(i) || other.test(i));
        return *this;
    }
    constexpr bitset& operator^=(const bitset& other) {
        for (size_t i = 0; i < bits; i++) set(i, test(i) != other.test(i));
        return *this;
    }
    constexpr bitset operator<<(size_t by) const {
        bitset moved;
        for (size_t i = by; i < bits; i++) moved.set(i, test(i - by));
        return moved;
    }
    constexpr bitset operator>>(size_t by) const {
        bitset moved;
        for (size_t i = 0; i + by < bits; i++) moved.set(i, test(i + by));
        return moved;
    }
    friend constexpr bitset operator&(bitset a, const bitset& b) { return a &= b; }
    friend constexpr bitset operator|(bitset a, const bitset& b) { return a |= b; }
    friend constexpr bitset operator^(bitset a, const bitset& b) { return a ^= b; }
    friend constexpr bool operator==(const bitset& a, const bitset& b) { return (a ^ b).none(); }
};

}  // namespace std
