// `memcpy_async`: the threads of a group copy from global to shared memory together. `wait` makes the copy visible to all of them.
#pragma once

#include "cooperative_groups.h"
#include "cuda_pipeline.h"

namespace cooperative_groups {
namespace detail {

// By words, where both addresses and the size allow it.
template <class Group>
__forceinline__ __device__ void copy_together(const Group& group, void* to, const void* from, size_t bytes) {
    const size_t rank = group.thread_rank(), threads = group.num_threads();
    const size_t alignment = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from);
    size_t words = 0;
    if (alignment % 16 == 0 && __isShared(to) && __isGlobal(from)) {
        words = bytes / 16;
        for (size_t i = rank; i < words; i += threads)
            __pipeline_memcpy_async(static_cast<char*>(to) + 16 * i, static_cast<const char*>(from) + 16 * i, 16);
        words *= 4;
    } else if (alignment % 4 == 0 && __isShared(to) && __isGlobal(from)) {
        words = bytes / 4;
        for (size_t i = rank; i < words; i += threads)
            __pipeline_memcpy_async(static_cast<unsigned*>(to) + i, static_cast<const unsigned*>(from) + i, 4);
    }
    for (size_t i = 4 * words + rank; i < bytes; i += threads)
        static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
    __pipeline_commit();
}

}  // namespace detail

template <class Group, class T, class U>
__forceinline__ __device__ void memcpy_async(const Group& group, T* to, const U* from, size_t bytes) {
    detail::copy_together(group, to, from, bytes);
}
// In elements: as many as both have room for.
template <class Group, class T, class U>
__forceinline__ __device__ void memcpy_async(const Group& group, T* to, size_t room, const U* from, size_t count) {
    detail::copy_together(group, to, from, (count < room ? count : room) * sizeof(T));
}

template <unsigned groups, class Group>
__forceinline__ __device__ void wait_prior(const Group& group) {
    workbook_pipeline::wait<groups>();
    group.sync();
}
template <class Group>
__forceinline__ __device__ void wait(const Group& group) {
    wait_prior<0>(group);
}

}  // namespace cooperative_groups
