// Allocation, copies, fills.
#pragma once

namespace workbook {

enum MemoryKind {
    DEVICE_MEMORY = 0,
    PINNED_HOST_MEMORY = 1,
    MANAGED_MEMORY = 2,
    STREAM_ORDERED_MEMORY = 3,
    MAPPED_HOST_MEMORY = 4,
};

__forceinline__ cudaError_t allocate(void* result, size_t bytes, MemoryKind kind) {
    return call(Malloc, result, bytes, kind, 0);
}

}  // namespace workbook

// Each allocating function takes `T**`, so that no cast to `void**` is needed; with a cast, T is void.
template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
    return workbook::allocate(pointer, bytes, workbook::DEVICE_MEMORY);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int = 0) {
    return workbook::allocate(pointer, bytes, workbook::PINNED_HOST_MEMORY);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
    const bool mapped = (flags & cudaHostAllocMapped) != 0;
    return workbook::allocate(pointer, bytes, mapped ? workbook::MAPPED_HOST_MEMORY : workbook::PINNED_HOST_MEMORY);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                     unsigned int = cudaMemAttachGlobal) {
    return workbook::allocate(pointer, bytes, workbook::MANAGED_MEMORY);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t rows) {
    return workbook::call(workbook::MallocPitch, pointer, pitch, width, rows);
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t rows) {
    return {pointer, pitch, width, rows};
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr* result, cudaExtent extent) {
    result->xsize = extent.width;
    result->ysize = extent.height;
    return cudaMallocPitch(&result->ptr, &result->pitch, extent.width, extent.height * extent.depth);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
    return workbook::call(workbook::Malloc, pointer, bytes, workbook::STREAM_ORDERED_MEMORY, stream);
}
inline cudaError_t cudaFree(void* pointer) {
    return workbook::call(workbook::Free, pointer, workbook::DEVICE_MEMORY, 0);
}
inline cudaError_t cudaFreeHost(void* pointer) {
    return workbook::call(workbook::Free, pointer, workbook::PINNED_HOST_MEMORY, 0);
}
// The host does not wait, unlike in `cudaFree`: a copy that it started may still be on its way.
inline cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return workbook::call(workbook::Free, pointer, workbook::STREAM_ORDERED_MEMORY, stream);
}
// Page-locks existing memory. Its flags are accepted and have no other effect.
inline cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
    return workbook::call(workbook::HostRegister, pointer, bytes, flags);
}
inline cudaError_t cudaHostUnregister(void* pointer) {
    return workbook::call(workbook::HostUnregister, pointer);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* pointer, unsigned int flags) {
    return workbook::call(workbook::HostGetDevicePointer, device, pointer, flags);
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    workbook::word kind = 0;
    const cudaError_t status = workbook::call(workbook::PointerGetAttributes, pointer, &kind);
    if (status != cudaSuccess) return status;
    *attributes = {};
    attributes->type = static_cast<cudaMemoryType>(kind);
    void* const known = const_cast<void*>(pointer);
    if (kind == cudaMemoryTypeDevice || kind == cudaMemoryTypeManaged) attributes->devicePointer = known;
    if (kind == cudaMemoryTypeHost || kind == cudaMemoryTypeManaged) attributes->hostPointer = known;
    attributes->device = kind == cudaMemoryTypeUnregistered ? -2 : 0;
    return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return workbook::call(workbook::MemGetInfo, free, total);
}

// The C library's memcpy in a host function: one call for any number of bytes, so that it can be timed.
#ifdef WORKBOOK_HOST
#include <string.h>
inline void* workbook_memcpy(void* to, const void* from, size_t bytes) {
    workbook::call(workbook::Memcpy, to, from, bytes, cudaMemcpyHostToHost, 0, 2);
    return to;
}
namespace std {
using ::workbook_memcpy;
}
#define memcpy(to, from, bytes) workbook_memcpy(to, from, bytes)
#endif

inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return workbook::call(workbook::Memcpy, to, from, bytes, kind, 0, 0);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream = nullptr) {
    return workbook::call(workbook::Memcpy, to, from, bytes, kind, stream, 1);
}
inline cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                size_t width, size_t rows, cudaMemcpyKind kind) {
    return workbook::call(workbook::Memcpy2D, to, to_pitch, from, from_pitch, width, rows, kind, 0,
                          0);
}
inline cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                     size_t width, size_t rows, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr) {
    return workbook::call(workbook::Memcpy2D, to, to_pitch, from, from_pitch, width, rows, kind,
                          stream, 1);
}
inline cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return workbook::call(workbook::Memset, to, value, bytes, 0, 0);
}
inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes,
                                   cudaStream_t stream = nullptr) {
    return workbook::call(workbook::Memset, to, value, bytes, stream, 1);
}
inline cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t rows) {
    return workbook::call(workbook::Memset2D, to, pitch, value, width, rows);
}
inline cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t rows,
                                     cudaStream_t stream = nullptr) {
    const cudaError_t status = workbook::call(workbook::StreamSynchronize, stream);
    return status == cudaSuccess ? cudaMemset2D(to, pitch, value, width, rows) : status;
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    cudaError_t status = cudaSuccess;
    if (extent.width == 0 || extent.height == 0) return status;
    for (size_t z = 0; z < extent.depth && status == cudaSuccess; ++z)
        status = cudaMemset2D(static_cast<char*>(to.ptr) + z * to.ysize * to.pitch, to.pitch, value, extent.width,
                              extent.height);
    return status;
}
// There is one GPU.
inline cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes,
                                       cudaStream_t stream = nullptr) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

// The one pool of `cudaMallocAsync`. What its attributes change is when memory goes back to the system: here nothing.
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
    *pool = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return cudaDeviceGetDefaultMemPool(pool, device);
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
    return cudaMallocAsync(pointer, bytes, stream);
}
template <class Properties>
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const Properties*) {
    *pool = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
    *static_cast<unsigned long long*>(value) = 0;
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }

// Hints about where managed memory should lie: accepted for managed memory, no effect. CUDA 12 names the device by its number,
// CUDA 13 by a location.
template <class T>
inline cudaError_t cudaMemPrefetchAsync(const T* pointer, size_t bytes, int, cudaStream_t = nullptr) {
    return workbook::call(workbook::ManagedHint, pointer, bytes);
}
template <class T>
inline cudaError_t cudaMemPrefetchAsync(const T* pointer, size_t bytes, cudaMemLocation, unsigned int,
                                        cudaStream_t = nullptr) {
    return workbook::call(workbook::ManagedHint, pointer, bytes);
}
template <class T>
inline cudaError_t cudaMemAdvise(const T* pointer, size_t bytes, cudaMemoryAdvise, int) {
    return workbook::call(workbook::ManagedHint, pointer, bytes);
}
template <class T>
inline cudaError_t cudaMemAdvise(const T* pointer, size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
    return workbook::call(workbook::ManagedHint, pointer, bytes);
}
