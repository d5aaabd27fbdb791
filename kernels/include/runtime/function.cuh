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
// The block size, a multiple of the warp, that keeps the most threads resident; the largest of several. The dynamic shared
// memory is a function of it.
template <class T, class Shared>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size, T* kernel,
                                                                  Shared dynamic_shared,
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
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, dynamic_shared(size));
        if (status != cudaSuccess) return status;
        if (blocks * size > most) {
            most = blocks * size;
            *block_size = size;
            *min_grid_size = blocks * multiprocessors;
        }
    }
    return most > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size,
                                                      T* kernel, size_t dynamic_shared = 0,
                                                      int block_size_limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        min_grid_size, block_size, kernel, [=](int) { return dynamic_shared; }, block_size_limit);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T* kernel, int block_size,
                                                                          size_t dynamic_shared, unsigned int) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, dynamic_shared);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid_size, int* block_size, T* kernel,
                                                               size_t dynamic_shared = 0, int block_size_limit = 0,
                                                               unsigned int = 0) {
    return cudaOccupancyMaxPotentialBlockSize(min_grid_size, block_size, kernel, dynamic_shared, block_size_limit);
}
// The most dynamic shared memory with which so many blocks are resident: by halving the interval.
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamic_shared, T* kernel, int blocks,
                                                             int block_size) {
    size_t fits = 0, too_much = size_t(1) << 18;
    while (too_much - fits > 1) {
        const size_t middle = (fits + too_much) / 2;
        int resident = 0;
        const cudaError_t status =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_size, middle);
        if (status != cudaSuccess) return status;
        (resident >= blocks ? fits : too_much) = middle;
    }
    *dynamic_shared = fits;
    return cudaSuccess;
}

template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    workbook::word words[6];
    const cudaError_t status = workbook::call(workbook::FuncGetAttributes, kernel, words);
    if (status != cudaSuccess) return status;
    *attributes = {};
    attributes->sharedSizeBytes = words[0];
    attributes->localSizeBytes = words[1];
    attributes->maxThreadsPerBlock = static_cast<int>(words[2]);
    attributes->numRegs = static_cast<int>(words[3]);
    attributes->ptxVersion = attributes->binaryVersion = static_cast<int>(words[4]);
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(words[5]);
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
}
