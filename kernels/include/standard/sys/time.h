// gettimeofday: time stands still, so that every run is the same.
#pragma once
#include <time.h>

struct timeval {
    long tv_sec, tv_usec;
};
struct timespec {
    long tv_sec, tv_nsec;
};
inline int gettimeofday(timeval* now, void*) {
    *now = {time(nullptr), 0};
    return 0;
}
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
inline int clock_gettime(int, timespec* now) {
    *now = {time(nullptr), 0};
    return 0;
}
inline int usleep(unsigned) { return 0; }
inline unsigned sleep(unsigned) { return 0; }
