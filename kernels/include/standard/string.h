// memcpy and memset are the compiler's own; here are the others that a host function may use.
#pragma once
#include "stddef.h"

inline void* memmove(void* to, const void* from, size_t bytes) {
    unsigned char* t = static_cast<unsigned char*>(to);
    const unsigned char* f = static_cast<const unsigned char*>(from);
    if (t < f)
        for (size_t i = 0; i < bytes; ++i) t[i] = f[i];
    else
        for (size_t i = bytes; i > 0; --i) t[i - 1] = f[i - 1];
    return to;
}
inline int memcmp(const void* a, const void* b, size_t bytes) {
    const unsigned char* x = static_cast<const unsigned char*>(a);
    const unsigned char* y = static_cast<const unsigned char*>(b);
    for (size_t i = 0; i < bytes; ++i)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}
inline size_t strlen(const char* text) {
    size_t length = 0;
    while (text[length] != 0) ++length;
    return length;
}
inline int strncmp(const char* a, const char* b, size_t most) {
    for (size_t i = 0; i < most; ++i) {
        const unsigned char x = a[i], y = b[i];
        if (x != y) return x < y ? -1 : 1;
        if (x == 0) break;
    }
    return 0;
}
inline int strcmp(const char* a, const char* b) { return strncmp(a, b, static_cast<size_t>(-1)); }
inline char* strncpy(char* to, const char* from, size_t most) {
    size_t i = 0;
    for (; i < most && from[i] != 0; ++i) to[i] = from[i];
    for (; i < most; ++i) to[i] = 0;
    return to;
}
inline const char* strchr(const char* text, int c) {
    for (;; ++text) {
        if (*text == static_cast<char>(c)) return text;
        if (*text == 0) return nullptr;
    }
}
inline const char* strrchr(const char* text, int c) {
    const char* last = nullptr;
    while ((text = strchr(text, c)) != nullptr) {
        last = text;
        if (*text++ == 0) break;
    }
    return last;
}
inline const char* strstr(const char* text, const char* what) {
    const size_t length = strlen(what);
    for (;; ++text) {
        if (strncmp(text, what, length) == 0) return text;
        if (*text == 0) return nullptr;
    }
}
inline char* strcpy(char* to, const char* from) {
    size_t i = 0;
    do to[i] = from[i];
    while (from[i++] != 0);
    return to;
}

inline char* strcat(char* to, const char* from) {
    strcpy(to + strlen(to), from);
    return to;
}

namespace std {
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::strcat;
using ::strchr;
using ::strcmp;
using ::strcpy;
using ::strlen;
using ::strncmp;
using ::strncpy;
using ::strrchr;
using ::strstr;
}  // namespace std
