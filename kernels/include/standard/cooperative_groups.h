// Groups of threads as objects: the block, tiles of a warp, the active threads of a warp. The names are those of
// NVIDIA's header of this name, which nvcc uses instead, so that a file which includes it compiles in both.
//
// Left out, so that using them is the compiler's own error: clusters, several GPUs, exchanges within tiles of more than 32 threads,
// and barriers in two halves.
#pragma once

#include "cooperative_groups/grid.h"
#include "cooperative_groups/lanes.h"

namespace cooperative_groups {

// Any group: the block, or some lanes of a warp.
class thread_group {
   public:
    __forceinline__ __device__ unsigned long long size() const {
        return whole_block_ ? detail::block_size() : __popc(members_);
    }
    __forceinline__ __device__ unsigned long long num_threads() const { return size(); }
    __forceinline__ __device__ unsigned long long thread_rank() const {
        return whole_block_ ? detail::block_rank() : detail::rank_in(members_);
    }
    __forceinline__ __device__ void sync() const {
        if (whole_block_)
            __syncthreads();
        else
            __syncwarp(members_);
    }

   protected:
    __forceinline__ __device__ thread_group(bool whole_block, unsigned members)
        : members_(members), whole_block_(whole_block) {}

    unsigned members_;

   private:
    bool whole_block_;
    template <class Parent>
    friend __forceinline__ __device__ thread_group tiled_partition(const Parent& parent, unsigned size);
};

// All threads of this block.
class thread_block : public thread_group {
   public:
    static __forceinline__ __device__ void sync() { __syncthreads(); }
    static __forceinline__ __device__ unsigned thread_rank() { return detail::block_rank(); }
    static __forceinline__ __device__ unsigned size() { return detail::block_size(); }
    static __forceinline__ __device__ unsigned num_threads() { return size(); }
    static __forceinline__ __device__ dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    static __forceinline__ __device__ dim3 thread_index() {
        return {threadIdx.x, threadIdx.y, threadIdx.z};
    }
    static __forceinline__ __device__ dim3 dim_threads() { return {blockDim.x, blockDim.y, blockDim.z}; }
    static __forceinline__ __device__ dim3 group_dim() { return dim_threads(); }

   private:
    __forceinline__ __device__ thread_block() : thread_group(true, 0) {}
    friend __forceinline__ __device__ thread_block this_thread_block();
};

__forceinline__ __device__ thread_block this_thread_block() { return thread_block(); }

// What tiles of several warps need on older GPUs.
template <unsigned MostThreads = 1024>
struct block_tile_memory {
    unsigned long long words[MostThreads / 32];
};
template <unsigned MostThreads>
__forceinline__ __device__ thread_block this_thread_block(block_tile_memory<MostThreads>&) {
    return this_thread_block();
}

// The whole grid. Its blocks can wait for each other in a cooperative launch.
class grid_group {
   public:
    static __forceinline__ __device__ bool is_valid() { return detail::meeting_place() != nullptr; }
    static __forceinline__ __device__ void sync() { workbook_grid_barrier(); }
    static __forceinline__ __device__ unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static __forceinline__ __device__ unsigned long long block_rank() {
        return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static __forceinline__ __device__ unsigned long long size() {
        return num_blocks() * detail::block_size();
    }
    static __forceinline__ __device__ unsigned long long num_threads() { return size(); }
    static __forceinline__ __device__ unsigned long long thread_rank() {
        return block_rank() * detail::block_size() + detail::block_rank();
    }
    static __forceinline__ __device__ dim3 dim_blocks() { return {gridDim.x, gridDim.y, gridDim.z}; }
    static __forceinline__ __device__ dim3 group_dim() { return dim_blocks(); }
    static __forceinline__ __device__ dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
};

__forceinline__ __device__ grid_group this_grid() { return grid_group(); }

// `Size` neighbouring threads of a warp, a power of two up to 32.
template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_group {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "the size of a tile is a power of two: choose 1, 2, 4, 8, 16, 32, or 64 to 512 for several warps");

   public:
    // A tile forgets what it is a part of.
    template <class Other>
    __forceinline__ __device__ thread_block_tile(const thread_block_tile<Size, Other>& other)
        : thread_group(other), meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}

    static __forceinline__ __device__ unsigned size() { return Size; }
    static __forceinline__ __device__ unsigned num_threads() { return Size; }
    static __forceinline__ __device__ unsigned thread_rank() { return detail::lane() & (Size - 1); }
    __forceinline__ __device__ unsigned meta_group_rank() const { return meta_rank_; }
    __forceinline__ __device__ unsigned meta_group_size() const { return meta_size_; }
    __forceinline__ __device__ void sync() const { __syncwarp(members()); }

    template <class T>
    __forceinline__ __device__ T shfl(T value, int rank) const {
        return detail::by_words(value, [&](unsigned word) { return __shfl_sync(members(), word, rank, Size); });
    }
    template <class T>
    __forceinline__ __device__ T shfl_down(T value, unsigned by) const {
        return detail::by_words(value,
                                [&](unsigned word) { return __shfl_down_sync(members(), word, by, Size); });
    }
    template <class T>
    __forceinline__ __device__ T shfl_up(T value, unsigned by) const {
        return detail::by_words(value,
                                [&](unsigned word) { return __shfl_up_sync(members(), word, by, Size); });
    }
    template <class T>
    __forceinline__ __device__ T shfl_xor(T value, unsigned with) const {
        return detail::by_words(value,
                                [&](unsigned word) { return __shfl_xor_sync(members(), word, with, Size); });
    }
    __forceinline__ __device__ int any(int predicate) const { return __any_sync(members(), predicate); }
    __forceinline__ __device__ int all(int predicate) const { return __all_sync(members(), predicate); }
    // Bit r stands for the thread of rank r.
    __forceinline__ __device__ unsigned ballot(int predicate) const {
        return __ballot_sync(members(), predicate) >> first();
    }
    template <class T>
    __forceinline__ __device__ unsigned match_any(T value) const {
        return detail::match_any(members(), value) >> first();
    }
    template <class T>
    __forceinline__ __device__ unsigned match_all(T value, int& predicate) const {
        return detail::match_all(members(), value, predicate) >> first();
    }

    // For this header's own use: the tile as lanes of the warp.
    __forceinline__ __device__ unsigned members() const {
        if constexpr (Size == 32) {
            return 0xffffffffU;
        } else {
            return ((1U << Size) - 1) << first();
        }
    }

   private:
    static __forceinline__ __device__ unsigned first() { return detail::lane() & ~(Size - 1) & 31U; }
    __forceinline__ __device__ thread_block_tile(unsigned meta_rank, unsigned meta_size)
        : thread_group(false, members()), meta_rank_(meta_rank), meta_size_(meta_size) {}

    unsigned meta_rank_, meta_size_;

    template <unsigned S, class P>
    friend __forceinline__ __device__ thread_block_tile<S, P> tiled_partition(const P& parent);
};

// A tile of several warps. They wait for each other at a barrier of their own; the last of 16 has that of `__syncthreads()`.
namespace detail {
template <unsigned Size>
class large_tile {
   public:
    __forceinline__ __device__ large_tile(unsigned meta_rank, unsigned meta_size)
        : meta_rank_(meta_rank), meta_size_(meta_size) {}
    static __forceinline__ __device__ unsigned size() { return Size; }
    static __forceinline__ __device__ unsigned num_threads() { return Size; }
    static __forceinline__ __device__ unsigned thread_rank() { return block_rank() & (Size - 1); }
    __forceinline__ __device__ unsigned meta_group_rank() const { return meta_rank_; }
    __forceinline__ __device__ unsigned meta_group_size() const { return meta_size_; }
    __forceinline__ __device__ void sync() const {
        const unsigned barrier = (block_rank() / Size + 1) & 15;
        asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "n"(Size) : "memory");
    }

   private:
    unsigned meta_rank_, meta_size_;
};
}  // namespace detail
#define WORKBOOK_LARGE_TILE(Size)                                                      \
    template <class Parent>                                                            \
    class thread_block_tile<Size, Parent> : public detail::large_tile<Size> {          \
        using detail::large_tile<Size>::large_tile;                                    \
        template <unsigned S, class P>                                                 \
        friend __forceinline__ __device__ thread_block_tile<S, P> tiled_partition(const P& parent); \
    };
WORKBOOK_LARGE_TILE(64)
WORKBOOK_LARGE_TILE(128)
WORKBOOK_LARGE_TILE(256)
WORKBOOK_LARGE_TILE(512)
#undef WORKBOOK_LARGE_TILE

// The block, or a tile, cut into tiles.
template <unsigned Size, class Parent>
__forceinline__ __device__ thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
    static_assert(detail::most_threads<Parent>::value >= Size, "this tile is larger than the group it is cut from: cut it from the block");
    const unsigned threads = static_cast<unsigned>(parent.num_threads());
    return {static_cast<unsigned>(parent.thread_rank()) / Size, (threads + Size - 1) / Size};
}

// The same with a size known only at run time: 1, 2, 4, 8, 16 or 32.
template <class Parent>
__forceinline__ __device__ thread_group tiled_partition(const Parent& parent, unsigned size) {
    const unsigned within = size >= 32 ? 0xffffffffU : (1U << size) - 1;
    return thread_group(false, within << (detail::lane() & ~(size - 1) & 31U));
}

// Some lanes of a warp, numbered by rank from the lowest.
class coalesced_group : public thread_group {
   public:
    __forceinline__ __device__ unsigned size() const { return __popc(members_); }
    __forceinline__ __device__ unsigned num_threads() const { return size(); }
    __forceinline__ __device__ unsigned thread_rank() const { return detail::rank_in(members_); }
    __forceinline__ __device__ unsigned meta_group_rank() const { return meta_rank_; }
    __forceinline__ __device__ unsigned meta_group_size() const { return meta_size_; }
    __forceinline__ __device__ void sync() const { __syncwarp(members_); }

    // A rank outside the group gives the thread's own value.
    template <class T>
    __forceinline__ __device__ T shfl(T value, unsigned rank) const {
        const unsigned from = rank < size() ? detail::lane_of_rank(members_, rank) : detail::lane();
        return detail::by_words(value, [&](unsigned word) { return __shfl_sync(members_, word, from); });
    }
    template <class T>
    __forceinline__ __device__ T shfl_down(T value, unsigned by) const {
        return shfl(value, thread_rank() + by);
    }
    template <class T>
    __forceinline__ __device__ T shfl_up(T value, unsigned by) const {
        return shfl(value, thread_rank() >= by ? thread_rank() - by : thread_rank());
    }
    __forceinline__ __device__ int any(int predicate) const { return __any_sync(members_, predicate); }
    __forceinline__ __device__ int all(int predicate) const { return __all_sync(members_, predicate); }
    __forceinline__ __device__ unsigned ballot(int predicate) const {
        return detail::to_ranks(members_, __ballot_sync(members_, predicate));
    }
    template <class T>
    __forceinline__ __device__ unsigned match_any(T value) const {
        return detail::to_ranks(members_, detail::match_any(members_, value));
    }
    template <class T>
    __forceinline__ __device__ unsigned match_all(T value, int& predicate) const {
        return detail::to_ranks(members_, detail::match_all(members_, value, predicate));
    }

    // For this header's own use.
    __forceinline__ __device__ unsigned members() const { return members_; }

   private:
    __forceinline__ __device__ explicit coalesced_group(unsigned members, unsigned meta_rank = 0,
                                                        unsigned meta_size = 1)
        : thread_group(false, members), meta_rank_(meta_rank), meta_size_(meta_size) {}

    unsigned meta_rank_, meta_size_;

    friend __forceinline__ __device__ coalesced_group coalesced_threads();
    template <class Parent>
    friend __forceinline__ __device__ coalesced_group binary_partition(const Parent& parent, bool predicate);
    template <class Parent, class T>
    friend __forceinline__ __device__ coalesced_group labeled_partition(const Parent& parent, T label);
};

// The active threads of this warp.
__forceinline__ __device__ coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Those of a group for which the predicate is the same; those for which the label is the same.
template <class Parent>
__forceinline__ __device__ coalesced_group binary_partition(const Parent& parent, bool predicate) {
    const unsigned yes = __ballot_sync(parent.members(), predicate);
    return coalesced_group(predicate ? yes : parent.members() & ~yes, predicate ? 1 : 0, 2);
}
template <class Parent, class T>
__forceinline__ __device__ coalesced_group labeled_partition(const Parent& parent, T label) {
    const unsigned same = detail::match_any(parent.members(), label);
    // Groups are numbered by their lowest lanes.
    const unsigned leaders = __ballot_sync(parent.members(), detail::rank_in(same) == 0);
    const unsigned lowest = same & (0U - same);
    return coalesced_group(same, __popc(leaders & (lowest - 1)), __popc(leaders));
}

// One thread of the group calls the function; with `_broadcast`, all have what it returns.
template <class Group, class Function, class... A>
__forceinline__ __device__ void invoke_one(const Group& group, Function&& function, A&&... arguments) {
    if (group.thread_rank() == 0) function(static_cast<A&&>(arguments)...);
}
template <class Group, class Function, class... A>
__forceinline__ __device__ auto invoke_one_broadcast(const Group& group, Function&& function, A&&... arguments)
    -> decltype(function(static_cast<A&&>(arguments)...)) {
    decltype(function(static_cast<A&&>(arguments)...)) result{};
    if (group.thread_rank() == 0) result = function(static_cast<A&&>(arguments)...);
    return group.shfl(result, 0);
}

template <class Group>
__forceinline__ __device__ void sync(const Group& group) {
    group.sync();
}
template <class Group>
__forceinline__ __device__ auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
__forceinline__ __device__ auto group_size(const Group& group) {
    return group.size();
}

}  // namespace cooperative_groups
