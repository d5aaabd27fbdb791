// `cuda::barrier` of a block, in shared memory, and `cuda::memcpy_async`, whose copy ends before the thread arrives. The names are
// those of libcu++, which nvcc uses instead.
//
// Left out, so that using them is the compiler's own error: completion functions, `try_wait`, `cuda::device`, copies of the TMA.
#pragma once

#include "cuda/atomic.h"
#include "extremes.h"

// Empty, so that the compiler's error names what is missing.
namespace cuda::ptx {}
namespace cuda::device::experimental {}

namespace cuda {

template <thread_scope scope>
class barrier {
    static_assert(scope == thread_scope_block, "here a barrier is one of the threads of a block");
    // The number of threads that are still missing, and the phase below: both change at once, so that a thread too many counts for the
    // next phase, as on a GPU.
    unsigned long long state;
    unsigned expected;

    static constexpr int places = 32;
    __forceinline__ __device__ unsigned now() {
        return static_cast<unsigned>(*static_cast<volatile unsigned long long*>(&state));
    }

   public:
    using arrival_token = unsigned;
    barrier() = default;
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;
    __forceinline__ __device__ explicit barrier(ptrdiff_t threads)
        : state(static_cast<unsigned long long>(threads) << places), expected(threads) {}

    // The phase cannot end before this thread has arrived.
    __forceinline__ __device__ arrival_token arrive(ptrdiff_t threads = 1) {
        __threadfence_block();
        const unsigned long long more = static_cast<unsigned long long>(threads) << places;
        const unsigned long long before = atomicAdd_block(&state, 0 - more);
        const int missing = static_cast<int>(before >> places);
        if (missing == threads) {
            const unsigned all = *static_cast<volatile unsigned*>(&expected);
            __threadfence_block();
            atomicAdd_block(&state, (static_cast<unsigned long long>(all) << places) + 1);
        }
        return static_cast<unsigned>(before) + (missing <= 0);
    }
    __forceinline__ __device__ void wait(arrival_token token) {
        while (now() == token) asm volatile("nanosleep.u32 0;");
        __threadfence_block();
    }
    __forceinline__ __device__ void wait_parity(bool odd) {
        while ((now() & 1) == odd) asm volatile("nanosleep.u32 0;");
        __threadfence_block();
    }
    __forceinline__ __device__ void arrive_and_wait() { wait(arrive()); }
    __forceinline__ __device__ void arrive_and_drop() {
        atomicSub_block(&expected, 1u);
        (void)arrive();
    }
    friend __forceinline__ __device__ void init(barrier* made, ptrdiff_t threads) {
        made->expected = threads;
        made->state = static_cast<unsigned long long>(threads) << places;
    }
};

// A number of bytes that is a multiple of `alignment`, as both addresses are.
template <size_t alignment>
struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;
    __forceinline__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    __forceinline__ __device__ constexpr operator size_t() const { return value; }
};

namespace detail {

__forceinline__ __device__ void copy(void* to, const void* from, size_t bytes, size_t first, size_t step) {
    const size_t either = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
    if (either % 4 == 0) {
        for (size_t i = first; i < bytes / 4; i += step)
            static_cast<unsigned*>(to)[i] = static_cast<const unsigned*>(from)[i];
    } else {
        for (size_t i = first; i < bytes; i += step) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
    }
}

}  // namespace detail

template <class T, class Size, thread_scope scope>
__forceinline__ __device__ void memcpy_async(T* to, const T* from, Size bytes, barrier<scope>&) {
    detail::copy(to, from, bytes, 0, 1);
}
template <class Group, class T, class Size, thread_scope scope>
__forceinline__ __device__ void memcpy_async(const Group& group, T* to, const T* from, Size bytes, barrier<scope>&) {
    detail::copy(to, from, bytes, group.thread_rank(), group.size());
}

}  // namespace cuda
