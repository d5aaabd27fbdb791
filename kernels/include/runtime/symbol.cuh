// `__device__` and `__constant__` variables, named as such: `cudaMemcpyToSymbol(filter, host, bytes)`.
#pragma once

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return workbook::call(workbook::MemcpyToSymbol, &symbol, from, bytes, offset, kind, 0, 0);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = nullptr) {
    return workbook::call(workbook::MemcpyToSymbol, &symbol, from, bytes, offset, kind, stream, 1);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return workbook::call(workbook::MemcpyFromSymbol, to, &symbol, bytes, offset, kind, 0, 0);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = nullptr) {
    return workbook::call(workbook::MemcpyFromSymbol, to, &symbol, bytes, offset, kind, stream, 1);
}
template <class P, class T>
inline cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) {
    return workbook::call(workbook::GetSymbolAddress, pointer, &symbol);
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
    return workbook::call(workbook::GetSymbolSize, bytes, &symbol);
}
