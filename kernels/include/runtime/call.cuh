// A trapped call: its number and its arguments as 64-bit words.
#pragma once

// Never defined: the interpreter of the host function executes it. A call in a kernel is a mistake, which
// the unresolved name reveals.
extern "C" __device__ int host_call(int number, void* words);

namespace workbook {

using word = unsigned long long;

// kernels/src/host_call.rs gives the words of each; its test compares the numbers.
enum Call : int {
    Launch = 1,
    Malloc = 2,
    Free = 3,
    Memcpy = 4,
    Memset = 5,
    MemcpyToSymbol = 6,
    MemcpyFromSymbol = 7,
    DeviceSynchronize = 8,
    StreamCreate = 9,
    StreamDestroy = 10,
    StreamSynchronize = 11,
    EventCreate = 12,
    EventDestroy = 13,
    EventRecord = 14,
    EventSynchronize = 15,
    EventElapsedTime = 16,
    StreamWaitEvent = 17,
    GetLastError = 18,
    PeekAtLastError = 19,
    GetDeviceProperties = 20,
    DeviceGetAttribute = 21,
    GetDevice = 22,
    SetDevice = 23,
    GetDeviceCount = 24,
    Memcpy2D = 25,
    MallocPitch = 26,
    Memset2D = 27,
    GetSymbolAddress = 28,
    GetSymbolSize = 29,
    FuncSetAttribute = 30,
    OccupancyMaxActiveBlocks = 31,
    MemGetInfo = 32,
    EventQuery = 33,
    StreamQuery = 34,
    Exit = 35,
    MallocArray = 36,
    FreeArray = 37,
    Memcpy2DToArray = 38,
    Memcpy2DFromArray = 39,
    CreateTexture = 40,
    DestroyTexture = 41,
    CreateSurface = 42,
    DestroySurface = 43,
    HostRegister = 44,
    HostUnregister = 45,
    HostGetDevicePointer = 46,
    ManagedHint = 47,
    LaunchCooperative = 48,
    FuncGetAttributes = 49,
    PointerGetAttributes = 50,
    LaunchKernel = 51,
    BeginCapture = 52,
    EndCapture = 53,
    CaptureStatus = 54,
    GraphInstantiate = 55,
    GraphLaunch = 56,
    GraphDestroy = 57,
    GraphNodes = 58,
    HostFunction = 59,
    GraphCreate = 60,
    GraphAdd = 61,
    GraphSetLaunch = 62,
    GraphUpdate = 63,
    ArrayGetInfo = 64,
};

template <class T>
__forceinline__ word to_word(T* pointer) {
    return reinterpret_cast<word>(pointer);
}

// Negative integers keep their sign in 64 bits.
template <class T>
__forceinline__ word to_word(T value) {
    return static_cast<word>(value);
}

template <class... A>
__forceinline__ cudaError_t call(Call number, A... arguments) {
    word words[sizeof...(A) + 1] = {to_word(arguments)..., 0};
    return static_cast<cudaError_t>(host_call(number, words));
}

}  // namespace workbook
