// Settings of a kernel, and its occupancy.
#pragma once

template <class T>
inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
    return workbook::call(workbook::FuncSetAttribute, kernel, attribute, value);
}
// Preferences: accepted, no effect.
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T*, cudaFuncCache) {
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T*, cudaSharedMemConfig) {
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel,
                                                                 int block_size,
                                                                 size_t dynamic_shared) {
    return workbook::call(workbook::OccupancyMaxActiveBlocks, blocks, kernel, block_size,
                          dynamic_shared);
}
// The block size, a multiple of the warp, that keeps the most threads resident; the largest of several.
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size,
                                                      T* kernel, size_t dynamic_shared = 0,
                                                      int block_size_limit = 0) {
    int device = 0, multiprocessors = 0, largest = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&largest, cudaDevAttrMaxThreadsPerBlock, device);
    if (status != cudaSuccess) return status;
    if (block_size_limit > 0 && block_size_limit < largest) largest = block_size_limit;
    int most = 0;
    for (int size = largest / 32 * 32; size > 0; size -= 32) {
        int blocks = 0;
        status =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, dynamic_shared);
        if (status != cudaSuccess) return status;
        if (blocks * size > most) {
            most = blocks * size;
            *block_size = size;
            *min_grid_size = blocks * multiprocessors;
        }
    }
    return most > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}
