// The barrier of all blocks of a grid.
#pragma once

namespace cooperative_groups {
namespace detail {

// What the driver hands to the blocks of a cooperative launch.
struct MeetingPlace {
    unsigned bytes;
    // The low 31 bits count blocks that have come. The top bit tells one round from the next.
    unsigned come;
};

// Its address comes in two registers. Every other launch leaves them as they were: zero before the first cooperative
// launch of the process (seen on an H200, driver 580).
__forceinline__ __device__ MeetingPlace* meeting_place() {
    unsigned long long address;
    asm("mov.b64 %0, {%%envreg2, %%envreg1};" : "=l"(address));
    return reinterpret_cast<MeetingPlace*>(address);
}

}  // namespace detail
}  // namespace cooperative_groups

// The simulator knows this function by its name, and carries a call of it out as one instruction. This is what a GPU
// runs. One thread speaks for its block; its first fence follows the stores of all threads, by way of the block's
// barrier, and what it sees behind its second, all of them see.
extern "C" inline __noinline__ __device__ void workbook_grid_barrier() {
    constexpr unsigned round = 0x80000000U;
    cooperative_groups::detail::MeetingPlace* place = cooperative_groups::detail::meeting_place();
    if (place == nullptr) __trap();  // not launched with cudaLaunchCooperativeKernel
    __syncthreads();                 // all threads of this block have come
    if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
        const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
        // The shares of all blocks add up to the top bit: the count is 0 again, whatever the size of the next grid.
        const bool first = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
        __threadfence();
        const unsigned before = atomicAdd(&place->come, first ? round - (blocks - 1) : 1U);
        while (((*static_cast<volatile unsigned*>(&place->come) ^ before) & round) == 0) {
        }
        __threadfence();
    }
    __syncthreads();  // all blocks have come
}
