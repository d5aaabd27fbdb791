// What files copied from NVIDIA's samples take from helper_cuda.h and helper_functions.h: checks of errors, the choice of a device, a timer.
#pragma once
#include "cpp/chrono.h"
#include "stdio.h"
#include "stdlib.h"

template <class T>
void check(T status, const char* call, const char* file, int line) {
    if (status == 0) return;
    fprintf(stderr, "%s:%d: %s gives %d\n", file, line, call, static_cast<int>(status));
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) check(cudaGetLastError(), message, __FILE__, __LINE__)
#define printLastCudaError(message) (void)cudaGetLastError()

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int, const char**) {
    checkCudaErrors(cudaSetDevice(0));
    return 0;
}
inline bool checkCudaCapabilities(int major, int minor) {
    int has[2] = {};
    checkCudaErrors(cudaDeviceGetAttribute(&has[0], cudaDevAttrComputeCapabilityMajor, 0));
    checkCudaErrors(cudaDeviceGetAttribute(&has[1], cudaDevAttrComputeCapabilityMinor, 0));
    return has[0] > major || (has[0] == major && has[1] >= minor);
}
// Lanes for float of a multiprocessor.
inline int _ConvertSMVer2Cores(int major, int minor) {
    if (major == 6 || major == 7) return major == 6 && minor > 0 ? 128 : 64;
    return major == 8 && minor == 0 ? 64 : 128;
}

struct StopWatchInterface {
    std::chrono::steady_clock::time_point begun;
    float milliseconds = 0;
};
inline bool sdkCreateTimer(StopWatchInterface** timer) {
    *timer = new StopWatchInterface();
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
    (*timer)->begun = std::chrono::steady_clock::now();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
    const std::chrono::duration<float, std::milli> passed = std::chrono::steady_clock::now() - (*timer)->begun;
    (*timer)->milliseconds += passed.count();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
    (*timer)->milliseconds = 0;
    return sdkStartTimer(timer);
}
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->milliseconds; }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return (*timer)->milliseconds; }
