// Error codes: the last one, and their names and texts (only those that a lab can meet, with the texts of CUDA).
// Not inlined: one copy of the long switch is enough.
#pragma once

inline cudaError_t cudaGetLastError() { return workbook::call(workbook::GetLastError); }
inline cudaError_t cudaPeekAtLastError() { return workbook::call(workbook::PeekAtLastError); }

#define WORKBOOK_ERRORS(X)                                                                         \
    X(cudaSuccess, "no error")                                                                     \
    X(cudaErrorInvalidValue, "invalid argument")                                                   \
    X(cudaErrorMemoryAllocation, "out of memory")                                                  \
    X(cudaErrorInitializationError, "initialization error")                                        \
    X(cudaErrorInvalidConfiguration, "invalid configuration argument")                             \
    X(cudaErrorInvalidPitchValue, "invalid pitch argument")                                        \
    X(cudaErrorInvalidSymbol, "invalid device symbol")                                             \
    X(cudaErrorInvalidHostPointer, "invalid host pointer")                                         \
    X(cudaErrorInvalidDevicePointer, "invalid device pointer")                                     \
    X(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")                        \
    X(cudaErrorInvalidDeviceFunction, "invalid device function")                                   \
    X(cudaErrorNoDevice, "no CUDA-capable device is detected")                                     \
    X(cudaErrorInvalidDevice, "invalid device ordinal")                                            \
    X(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device") \
    X(cudaErrorInvalidResourceHandle, "invalid resource handle")                                   \
    X(cudaErrorNotReady, "device not ready")                                                       \
    X(cudaErrorIllegalAddress, "an illegal memory access was encountered")                         \
    X(cudaErrorLaunchOutOfResources, "too many resources requested for launch")                    \
    X(cudaErrorLaunchTimeout, "the launch timed out and was terminated")                           \
    X(cudaErrorAssert, "device-side assert triggered")                                             \
    X(cudaErrorIllegalInstruction, "an illegal instruction was encountered")                       \
    X(cudaErrorMisalignedAddress, "misaligned address")                                            \
    X(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space")      \
    X(cudaErrorInvalidPc, "invalid program counter")                                               \
    X(cudaErrorLaunchFailure, "unspecified launch failure")                                        \
    X(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")                 \
    X(cudaErrorNotSupported, "operation not supported")                                            \
    X(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing")       \
    X(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture") \
    X(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work")                        \
    X(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream")  \
    X(cudaErrorUnknown, "unknown error")

__noinline__ const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define WORKBOOK_CASE(code, text) \
    case code:                    \
        return text;
        WORKBOOK_ERRORS(WORKBOOK_CASE)
#undef WORKBOOK_CASE
        default:
            return "unrecognized error code";
    }
}

__noinline__ const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define WORKBOOK_CASE(code, text) \
    case code:                    \
        return #code;
        WORKBOOK_ERRORS(WORKBOOK_CASE)
#undef WORKBOOK_CASE
        default:
            return "unrecognized error code";
    }
}

#undef WORKBOOK_ERRORS
