// malloc, free and abs are the compiler's own; here are the others that a host function may use.
#pragma once
#include "runtime/call.cuh"
#include "stddef.h"

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

inline void* calloc(size_t count, size_t size) {
    if (size != 0 && count > static_cast<size_t>(-1) / size) return nullptr;
    void* memory = malloc(count * size);
    if (memory != nullptr) memset(memory, 0, count * size);
    return memory;
}

// Ends the host function; the checker says with which status, and where.
inline void exit(int status) {
    workbook::call(workbook::Exit, status);
    __trap();
}
inline void abort() { exit(134); }

namespace workbook {
inline unsigned int& rand_state() {
    static unsigned int state = 1;
    return state;
}
}  // namespace workbook

// The same numbers on every machine: the linear congruential generator that the C standard gives as its
// example (x := 1103515245 x + 12345), two steps for 31 bits, from the seed 1.
inline void srand(unsigned int seed) { workbook::rand_state() = seed; }
inline int rand() {
    unsigned int& state = workbook::rand_state();
    unsigned int bits = 0;
    for (int half = 0; half < 2; ++half) {
        state = state * 1103515245u + 12345u;
        bits = bits << 16 | state >> 16;
    }
    return static_cast<int>(bits & RAND_MAX);
}
inline int atoi(const char* text) {
    while (*text == ' ' || (*text >= '\t' && *text <= '\r')) ++text;
    const bool negative = *text == '-';
    if (*text == '-' || *text == '+') ++text;
    int value = 0;
    for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + (*text - '0');
    return negative ? -value : value;
}

// The compiler's of hosts.
inline int __builtin_ctz(unsigned int bits) { return __ffs(bits) - 1; }
inline int __builtin_ctzll(unsigned long long bits) { return __ffsll(bits) - 1; }
inline int __builtin_clz(unsigned int bits) { return __clz(bits); }
inline int __builtin_clzll(unsigned long long bits) { return __clzll(bits); }
inline int __builtin_popcount(unsigned int bits) { return __popc(bits); }
inline int __builtin_popcountll(unsigned long long bits) { return __popcll(bits); }

struct div_t {
    int quot, rem;
};
struct ldiv_t {
    long quot, rem;
};
inline div_t div(int a, int b) { return {a / b, a % b}; }
inline ldiv_t div(long a, long b) { return {a / b, a % b}; }
inline ldiv_t ldiv(long a, long b) { return {a / b, a % b}; }

// There is no environment.
inline char* getenv(const char*) { return nullptr; }

namespace std {
using ::abort;
using ::getenv;
using ::abs;
using ::atoi;
using ::calloc;
using ::div;
using ::div_t;
using ::ldiv;
using ::ldiv_t;
using ::exit;
using ::free;
using ::malloc;
using ::rand;
using ::srand;
}  // namespace std
