// `inclusive_scan` and `exclusive_scan` over the threads of a tile or of a coalesced group, by rank.
#pragma once

#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
__forceinline__ __device__ T inclusive_scan(const Group& group, T value, const Operation& op) {
    static_assert(detail::is_tile_or_lanes<Group>::value,
                  "cg::inclusive_scan takes a tile or a coalesced group: cut the block with cg::tiled_partition<32>");
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned distance = 1; distance < size; distance *= 2) {
        const T before = group.shfl_up(value, distance);
        if (rank >= distance) value = op(before, value);
    }
    return value;
}
template <class Group, class T>
__forceinline__ __device__ T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
// The thread of rank 0 gets a zero.
template <class Group, class T, class Operation>
__forceinline__ __device__ T exclusive_scan(const Group& group, T value, const Operation& op) {
    const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
__forceinline__ __device__ T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
