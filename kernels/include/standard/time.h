// Time stands still, so that every run is the same; `clock` is the compiler's own.
#pragma once
#include "stddef.h"

#define CLOCKS_PER_SEC 1000000L

typedef long time_t;

inline time_t time(time_t* result) {
    const time_t now = 1000000000;
    if (result != nullptr) *result = now;
    return now;
}
inline double difftime(time_t later, time_t earlier) { return static_cast<double>(later - earlier); }

namespace std {
using ::difftime;
using ::time;
using ::time_t;
}  // namespace std
