// Asynchronous copies from global to shared memory, which overlap with other work of the thread. The names are those of NVIDIA's
// header of this name, which nvcc uses instead, so that a file which includes it compiles in both.
//
// Left out, so that using them is the compiler's own error: `__pipeline_arrive_on`, and the C++ classes (`cuda::pipeline`).
#pragma once

#include <stddef.h>

namespace workbook_pipeline {

// Copies `bytes` bytes, of which the last `zeros` are not read but set to 0.
template <int bytes>
__forceinline__ __device__ void copy(void* shared, const void* global, size_t zeros) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const unsigned read = static_cast<unsigned>(bytes - zeros);
    if (bytes == 16)  // past the first cache, as NVIDIA's header has it
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(read) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global), "n"(bytes), "r"(read)
                     : "memory");
#else  // GPUs before compute capability 8.0 wait for each byte
    for (size_t byte = 0; byte < bytes; ++byte)
        static_cast<char*>(shared)[byte] =
            byte < bytes - zeros ? static_cast<const char*>(global)[byte] : 0;
#endif
}

// Waits until all but the last `groups` groups of this thread have arrived.
template <int groups>
__forceinline__ __device__ void wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
}

}  // namespace workbook_pipeline

// Starts a copy of 4, 8 or 16 bytes; both addresses are multiples of this number. The last `zfill` bytes are not read but set to 0.
__forceinline__ __device__ void __pipeline_memcpy_async(void* __restrict__ dst_shared,
                                                        const void* __restrict__ src_global,
                                                        size_t size_and_align, size_t zfill = 0) {
    switch (size_and_align) {
        case 16: return workbook_pipeline::copy<16>(dst_shared, src_global, zfill);
        case 8: return workbook_pipeline::copy<8>(dst_shared, src_global, zfill);
        case 4: return workbook_pipeline::copy<4>(dst_shared, src_global, zfill);
        default: __trap();
    }
}

// What this thread has begun to copy since the last time is one group, also if it is nothing.
__forceinline__ __device__ void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until all groups of this thread but the last `prior` have arrived. Other threads see them after a barrier.
__forceinline__ __device__ void __pipeline_wait_prior(size_t prior) {
    switch (prior) {
        case 0: return workbook_pipeline::wait<0>();
        case 1: return workbook_pipeline::wait<1>();
        case 2: return workbook_pipeline::wait<2>();
        case 3: return workbook_pipeline::wait<3>();
        case 4: return workbook_pipeline::wait<4>();
        case 5: return workbook_pipeline::wait<5>();
        case 6: return workbook_pipeline::wait<6>();
        case 7: return workbook_pipeline::wait<7>();
        default: return workbook_pipeline::wait<8>();
    }
}
