// The device: its number, properties, settings.
#pragma once

namespace workbook {

// Filled in by the checker: kernels/src/device_properties.rs has the order of the values, and a test that
// compares it with the order here. The C structure differs between CUDA versions; this does not.
enum { NAME_BYTES = 256, PROPERTY_COUNT = 34 };
struct DeviceRecord {
    char name[NAME_BYTES];
    word values[PROPERTY_COUNT];
};

}  // namespace workbook

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    workbook::DeviceRecord record;
    const cudaError_t status = workbook::call(workbook::GetDeviceProperties, &record, device);
    if (status != cudaSuccess) return status;
    *properties = {};
    for (int i = 0; i < workbook::NAME_BYTES; ++i) properties->name[i] = record.name[i];
    const workbook::word* next = record.values;
    properties->totalGlobalMem = *next++;
    properties->sharedMemPerBlock = *next++;
    properties->regsPerBlock = *next++;
    properties->warpSize = *next++;
    properties->memPitch = *next++;
    properties->maxThreadsPerBlock = *next++;
    properties->maxThreadsDim[0] = *next++;
    properties->maxThreadsDim[1] = *next++;
    properties->maxThreadsDim[2] = *next++;
    properties->maxGridSize[0] = *next++;
    properties->maxGridSize[1] = *next++;
    properties->maxGridSize[2] = *next++;
    const workbook::word clock_rate = *next++;
    properties->totalConstMem = *next++;
    properties->major = *next++;
    properties->minor = *next++;
    properties->multiProcessorCount = *next++;
    properties->integrated = *next++;
    properties->canMapHostMemory = *next++;
    properties->concurrentKernels = *next++;
    properties->ECCEnabled = *next++;
    properties->asyncEngineCount = *next++;
    properties->unifiedAddressing = *next++;
    const workbook::word memory_clock_rate = *next++;
    properties->memoryBusWidth = *next++;
    properties->l2CacheSize = *next++;
    properties->maxThreadsPerMultiProcessor = *next++;
    properties->sharedMemPerMultiprocessor = *next++;
    properties->regsPerMultiprocessor = *next++;
    properties->managedMemory = *next++;
    properties->sharedMemPerBlockOptin = *next++;
    properties->maxBlocksPerMultiProcessor = *next++;
    properties->reservedSharedMemPerBlock = *next++;
    properties->cooperativeLaunch = *next++;
#if __CUDACC_VER_MAJOR__ < 13  // CUDA 13 took the clocks out of the structure
    properties->clockRate = clock_rate;
    properties->memoryClockRate = memory_clock_rate;
#else
    (void)clock_rate, (void)memory_clock_rate;
#endif
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return workbook::call(workbook::DeviceGetAttribute, value, attribute, device);
}
inline cudaError_t cudaGetDevice(int* device) {
    return workbook::call(workbook::GetDevice, device);
}
inline cudaError_t cudaSetDevice(int device) { return workbook::call(workbook::SetDevice, device); }
inline cudaError_t cudaGetDeviceCount(int* count) {
    return workbook::call(workbook::GetDeviceCount, count);
}
inline cudaError_t cudaDeviceSynchronize() { return workbook::call(workbook::DeviceSynchronize); }
// The older names, which nvcc of CUDA 12 still knows.
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = __CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10;
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

// Preferences: accepted, no effect.
inline cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    *flags = 0;
    return cudaSuccess;
}
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
// There is one GPU.
inline cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return cudaSetDevice(device); }
inline cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
inline cudaError_t cudaDeviceGetPCIBusId(char* name, int size, int) {
    const char known[] = "0000:01:00.0";
    if (size < static_cast<int>(sizeof(known))) return cudaErrorInvalidValue;
    for (unsigned int i = 0; i < sizeof(known); ++i) name[i] = known[i];
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) { return cudaGetDevice(device); }
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return cudaErrorInvalidDevice; }
inline cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaErrorInvalidDevice; }
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
// What they are before a program sets them.
inline cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    *value = limit == cudaLimitStackSize ? 1024 : limit == cudaLimitPrintfFifoSize ? 1 << 20 : 8 << 20;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

template <class T = void>
inline cudaError_t cudaDeviceReset() {
    static_assert(sizeof(T*) == 0,
                  "cudaDeviceReset would free the images that the checker passes in: leave it out");
    return cudaSuccess;
}
