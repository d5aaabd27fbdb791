// `cuda::pipeline` of one thread or of a block: asynchronous copies in stages. The names are those of libcu++, which nvcc uses instead.
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

enum class pipeline_role { producer, consumer };

// Producers fill stages that consumers use; without roles, all threads do both.
template <>
class pipeline<thread_scope_block> {
    barrier<thread_scope_block>*filled, *released;
    size_t stages, first = 0, next = 0;
    bool produces, consumes;

   public:
    __forceinline__ __device__ pipeline(barrier<thread_scope_block>* filled, barrier<thread_scope_block>* released,
                                        size_t stages, bool produces, bool consumes)
        : filled(filled), released(released), stages(stages), produces(produces), consumes(consumes) {}

    // Waits until all consumers have released what the stage held before.
    __forceinline__ __device__ void producer_acquire() {
        if (next >= stages) released[next % stages].wait_parity((next / stages - 1) % 2 == 1);
    }
    // Who only fills stages waits here for its copies: nobody else can.
    __forceinline__ __device__ void producer_commit() {
        __pipeline_commit();
        if (!consumes) {
            __pipeline_wait_prior(0);
            filled[next % stages].arrive();
        }
        ++next;
    }
    // Waits for the copies of all producers into the oldest stage.
    __forceinline__ __device__ void consumer_wait() {
        if (produces) {
            __pipeline_wait_prior(next - first - 1);
            filled[first % stages].arrive();
        }
        filled[first % stages].wait_parity(first / stages % 2 == 1);
    }
    __forceinline__ __device__ void consumer_release() { released[first++ % stages].arrive(); }
    // Every thread leaves for itself.
    __forceinline__ __device__ bool quit() { return true; }
};

namespace detail {

template <class Group, thread_scope scope, unsigned char stages>
__forceinline__ __device__ pipeline<scope> made(const Group& group, pipeline_shared_state<scope, stages>* state,
                                                size_t producers, bool produces, bool consumes) {
    const size_t consumers = producers < group.size() ? group.size() - producers : group.size();
    if (group.thread_rank() == 0)
        for (int stage = 0; stage < stages; ++stage) {
            init(&state->filled[stage], producers);
            init(&state->released[stage], consumers);
        }
    group.sync();
    return {state->filled, state->released, stages, produces, consumes};
}

}  // namespace detail

template <class Group, thread_scope scope, unsigned char stages>
__forceinline__ __device__ pipeline<scope> make_pipeline(const Group& group,
                                                         pipeline_shared_state<scope, stages>* state) {
    return detail::made(group, state, group.size(), true, true);
}
// The first threads of the group produce.
template <class Group, thread_scope scope, unsigned char stages>
__forceinline__ __device__ pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state,
                                                         size_t producers) {
    const bool produces = group.thread_rank() < producers;
    return detail::made(group, state, producers, produces, !produces);
}
template <class Group, thread_scope scope, unsigned char stages>
__forceinline__ __device__ pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state,
                                                         pipeline_role role) {
    const bool produces = role == pipeline_role::producer;
    return detail::made(group, state, __syncthreads_count(produces), produces, !produces);
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
