// printf is the compiler's own; both streams go where it goes.
#pragma once
#include "format.h"
#include "stddef.h"

struct FILE;
#define stdout (reinterpret_cast<FILE*>(1))
#define stderr (reinterpret_cast<FILE*>(2))
#define EOF (-1)

template <class... A>
inline int fprintf(FILE*, const char* format, A... arguments) {
    return printf(format, arguments...);
}
inline int puts(const char* text) { return printf("%s\n", text); }
inline int fputs(const char* text, FILE*) { return printf("%s", text); }
inline int putchar(int character) {
    printf("%c", character);
    return character;
}
inline int fflush(FILE*) { return 0; }
inline void perror(const char* text) { printf("%s\n", text); }

namespace std {
using ::fflush;
using ::fprintf;
using ::fputs;
using ::printf;
using ::putchar;
using ::puts;
using ::snprintf;
using ::sprintf;
}  // namespace std
