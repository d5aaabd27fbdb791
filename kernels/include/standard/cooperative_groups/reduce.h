// `reduce`: one value of all threads of a tile or of a coalesced group; every thread gets it.
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

#define WORKBOOK_OPERATION(name, result)                           \
    template <class T>                                             \
    struct name {                                                  \
        __forceinline__ __device__ T operator()(T a, T b) const {  \
            return result;                                         \
        }                                                          \
    };
WORKBOOK_OPERATION(plus, a + b)
WORKBOOK_OPERATION(less, b < a ? b : a)
WORKBOOK_OPERATION(greater, a < b ? b : a)
WORKBOOK_OPERATION(bit_and, a& b)
WORKBOOK_OPERATION(bit_or, a | b)
WORKBOOK_OPERATION(bit_xor, a ^ b)
#undef WORKBOOK_OPERATION

namespace detail {

// In pairs, each lane with the one half, a quarter, … of the tile away: the same order in every thread.
template <unsigned Size, class Parent, class T, class Operation>
__forceinline__ __device__ T combine(const thread_block_tile<Size, Parent>& tile, T value, const Operation& op) {
#pragma unroll
    for (unsigned distance = Size / 2; distance > 0; distance /= 2)
        value = op(value, tile.shfl_xor(value, distance));
    return value;
}
// Towards rank 0, which then hands it to all.
template <class T, class Operation>
__forceinline__ __device__ T combine(const coalesced_group& group, T value, const Operation& op) {
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned distance = 1; distance < size; distance *= 2) {
        const T other = group.shfl_down(value, distance);
        if (rank + distance < size) value = op(value, other);
    }
    return group.shfl(value, 0);
}
template <class Group, class T, class Operation>
__forceinline__ __device__ T combine(const Group&, T value, const Operation&) {
    static_assert(sizeof(Group) == 0,
                  "cg::reduce takes a tile or a coalesced group: cut the block with cg::tiled_partition<32>, and "
                  "combine the results of its warps in shared memory");
    return value;
}

// Whether the hardware reduces lanes by itself: 32-bit integers, from compute capability 8.0 on.
template <class Operation>
struct redux {
    enum { known = false };
};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WORKBOOK_REDUX(operation, type, function)                                   \
    template <>                                                                     \
    struct redux<operation<type>> {                                                 \
        enum { known = true };                                                      \
        static __forceinline__ __device__ type of(unsigned members, type value) {   \
            return function(members, value);                                        \
        }                                                                           \
    };
WORKBOOK_REDUX(plus, int, __reduce_add_sync)
WORKBOOK_REDUX(plus, unsigned, __reduce_add_sync)
WORKBOOK_REDUX(less, int, __reduce_min_sync)
WORKBOOK_REDUX(less, unsigned, __reduce_min_sync)
WORKBOOK_REDUX(greater, int, __reduce_max_sync)
WORKBOOK_REDUX(greater, unsigned, __reduce_max_sync)
WORKBOOK_REDUX(bit_and, unsigned, __reduce_and_sync)
WORKBOOK_REDUX(bit_or, unsigned, __reduce_or_sync)
WORKBOOK_REDUX(bit_xor, unsigned, __reduce_xor_sync)
WORKBOOK_REDUX(bit_and, int, __reduce_and_sync)
WORKBOOK_REDUX(bit_or, int, __reduce_or_sync)
WORKBOOK_REDUX(bit_xor, int, __reduce_xor_sync)
#undef WORKBOOK_REDUX
#endif

template <class T, class U>
struct same {
    enum { value = false };
};
template <class T>
struct same<T, T> {
    enum { value = true };
};
template <class T>
struct is_tile_or_lanes {
    enum { value = same<T, coalesced_group>::value };
};
template <unsigned Size, class Parent>
struct is_tile_or_lanes<thread_block_tile<Size, Parent>> {
    enum { value = true };
};

}  // namespace detail

template <class Group, class T, class Operation>
__forceinline__ __device__ T reduce(const Group& group, T value, const Operation& op) {
    if constexpr (detail::redux<Operation>::known && detail::is_tile_or_lanes<Group>::value)
        return detail::redux<Operation>::of(group.members(), value);
    else
        return detail::combine(group, value, op);
}

}  // namespace cooperative_groups
