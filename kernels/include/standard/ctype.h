// Kinds of characters.
#pragma once

constexpr int isdigit(int c) { return c >= '0' && c <= '9'; }
constexpr int islower(int c) { return c >= 'a' && c <= 'z'; }
constexpr int isupper(int c) { return c >= 'A' && c <= 'Z'; }
constexpr int isalpha(int c) { return islower(c) || isupper(c); }
constexpr int isalnum(int c) { return isalpha(c) || isdigit(c); }
constexpr int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr int isprint(int c) { return c >= ' ' && c <= '~'; }
constexpr int ispunct(int c) { return isprint(c) && c != ' ' && !isalnum(c); }
constexpr int tolower(int c) { return isupper(c) ? c + ('a' - 'A') : c; }
constexpr int toupper(int c) { return islower(c) ? c - ('a' - 'A') : c; }

namespace std {
using ::isalnum;
using ::isalpha;
using ::isdigit;
using ::islower;
using ::isprint;
using ::ispunct;
using ::isspace;
using ::isupper;
using ::tolower;
using ::toupper;
}  // namespace std
