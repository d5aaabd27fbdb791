// What the groups of `cooperative_groups.h` are made of: lanes, masks of lanes, and values moved word by word.
#pragma once

namespace cooperative_groups {

class thread_group;
template <unsigned Size, class Parent>
class thread_block_tile;

namespace detail {

__forceinline__ __device__ unsigned lane() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__forceinline__ __device__ unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__forceinline__ __device__ unsigned block_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
// How many members lie below this lane.
__forceinline__ __device__ unsigned rank_in(unsigned members) {
    return __popc(members & ((1U << lane()) - 1));
}
__forceinline__ __device__ unsigned lane_of_rank(unsigned members, unsigned rank) {
    for (; rank > 0; --rank) members &= members - 1;
    return __ffs(members) - 1;
}
// A mask of lanes as a mask of ranks.
__forceinline__ __device__ unsigned to_ranks(unsigned members, unsigned lanes) {
    unsigned ranks = 0;
    for (unsigned rank = 0; members != 0; ++rank, members &= members - 1)
        ranks |= ((lanes & members & (0U - members)) != 0 ? 1U : 0U) << rank;
    return ranks;
}

// Moves a value of any size through an exchange of words.
template <class T, class Exchange>
__forceinline__ __device__ T by_words(const T& value, const Exchange& exchange) {
    static_assert(__is_trivially_copyable(T), "only plain values can be passed between threads");
    static_assert(sizeof(T) <= 32, "values of more than 32 bytes cannot be passed between threads");
    constexpr int count = (sizeof(T) + 3) / 4;
    unsigned words[count] = {};
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < count; ++i) words[i] = exchange(words[i]);
    T result;
    memcpy(&result, words, sizeof(T));
    return result;
}

template <class T>
__forceinline__ __device__ unsigned match_any(unsigned members, T value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    return __match_any_sync(members, value);
#else
    static_assert(sizeof(T) == 0, "comparing the values of lanes needs compute capability 7.0");
    return 0;
#endif
}
template <class T>
__forceinline__ __device__ unsigned match_all(unsigned members, T value, int& predicate) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    return __match_all_sync(members, value, &predicate);
#else
    static_assert(sizeof(T) == 0, "comparing the values of lanes needs compute capability 7.0");
    return 0;
#endif
}

// The most threads that a group of this type can have, as far as tiles are concerned.
template <class Group>
struct most_threads {
    enum : unsigned { value = 1024 };
};
template <unsigned Size, class Parent>
struct most_threads<thread_block_tile<Size, Parent>> {
    enum : unsigned { value = Size };
};

}  // namespace detail
}  // namespace cooperative_groups
