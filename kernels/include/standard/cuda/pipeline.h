// `cuda::pipeline` of one thread or of a block: asynchronous copies in stages. The names are those of libcu++, which nvcc uses instead.
//
// Left out, so that using them is the compiler's own error: threads that are producers or consumers only.
#pragma once

#include "cuda/barrier.h"
#include "cuda_pipeline.h"

namespace cuda {

template <thread_scope scope>
class pipeline {
    static_assert(scope == thread_scope_thread, "here a pipeline is one of a single thread or of a block");
    size_t stages = 0;

   public:
    __forceinline__ __device__ void producer_acquire() {}
    __forceinline__ __device__ void producer_commit() {
        __pipeline_commit();
        ++stages;
    }
    // Waits for the oldest stage.
    __forceinline__ __device__ void consumer_wait() { __pipeline_wait_prior(stages - 1); }
    __forceinline__ __device__ void consumer_release() { --stages; }
};

__forceinline__ __device__ pipeline<thread_scope_thread> make_pipeline() { return {}; }

template <thread_scope scope, unsigned char stages>
struct pipeline_shared_state {
    barrier<scope> filled[stages], released[stages];
};

// All threads of a block fill and use each stage together.
template <>
class pipeline<thread_scope_block> {
    barrier<thread_scope_block>*filled, *released;
    size_t stages, first = 0, next = 0;

   public:
    __forceinline__ __device__ pipeline(barrier<thread_scope_block>* filled,
                                        barrier<thread_scope_block>* released, size_t stages)
        : filled(filled), released(released), stages(stages) {}

    // Waits until all threads have released what the stage held before.
    __forceinline__ __device__ void producer_acquire() {
        if (next >= stages) released[next % stages].wait_parity((next / stages - 1) % 2 == 1);
    }
    __forceinline__ __device__ void producer_commit() {
        __pipeline_commit();
        ++next;
    }
    // Waits for the copies of all threads into the oldest stage.
    __forceinline__ __device__ void consumer_wait() {
        __pipeline_wait_prior(next - first - 1);
        filled[first % stages].arrive_and_wait();
    }
    __forceinline__ __device__ void consumer_release() { released[first++ % stages].arrive(); }
};

template <class Group, thread_scope scope, unsigned char stages>
__forceinline__ __device__ pipeline<scope> make_pipeline(const Group& group,
                                                         pipeline_shared_state<scope, stages>* state) {
    if (group.thread_rank() == 0)
        for (int stage = 0; stage < stages; ++stage) {
            init(&state->filled[stage], group.size());
            init(&state->released[stage], group.size());
        }
    group.sync();
    return {state->filled, state->released, stages};
}

template <int prior, thread_scope scope>
__forceinline__ __device__ void pipeline_consumer_wait_prior(pipeline<scope>&) {
    __pipeline_wait_prior(prior);
}

template <class T, class Size, thread_scope scope>
__forceinline__ __device__ void memcpy_async(T* to, const T* from, Size bytes, pipeline<scope>&) {
    const size_t either = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | size_t(bytes);
    if (either % 4 != 0 || !__isShared(to) || !__isGlobal(from)) return detail::copy(to, from, bytes, 0, 1);
    const size_t step = either % 16 == 0 ? 16 : either % 8 == 0 ? 8 : 4;
    for (size_t at = 0; at < bytes; at += step)
        __pipeline_memcpy_async(reinterpret_cast<char*>(to) + at, reinterpret_cast<const char*>(from) + at, step);
}
template <class Group, class T, class Size, thread_scope scope>
__forceinline__ __device__ void memcpy_async(const Group& group, T* to, const T* from, Size bytes,
                                             pipeline<scope>& stages) {
    const size_t each = (size_t(bytes) + group.size() - 1) / group.size();
    const size_t whole = (each + 15) / 16 * 16, first = group.thread_rank() * whole;
    const size_t end = first + whole < bytes ? first + whole : size_t(bytes);
    if (first >= end) return;
    memcpy_async(reinterpret_cast<char*>(to) + first, reinterpret_cast<const char*>(from) + first, end - first, stages);
}

}  // namespace cuda
