// `cuda::latch` of a block, in shared memory: a barrier that opens once. The names are those of libcu++, which nvcc uses instead.
#pragma once

#include "cuda/barrier.h"

namespace cuda {

template <thread_scope scope>
class latch {
    barrier<scope> once;

   public:
    latch() = default;
    __forceinline__ __device__ explicit latch(ptrdiff_t threads) : once(threads) {}
    __forceinline__ __device__ void count_down(ptrdiff_t threads = 1) { once.arrive(threads); }
    __forceinline__ __device__ void wait() { once.wait(0); }
    __forceinline__ __device__ void arrive_and_wait(ptrdiff_t threads = 1) {
        count_down(threads);
        wait();
    }
    friend __forceinline__ __device__ void init(latch* made, ptrdiff_t threads) { init(&made->once, threads); }
};

}  // namespace cuda
