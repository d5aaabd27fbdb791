// about: A tile parted by a predicate and by a label.
// output by_predicate: i32[32] = i < 20 ? 100 * 20 + i : 100 * 12 + i - 20
// output by_label: i32[32] = 100 * (i % 5 < 2 ? 7 : 6) + i / 5
// output labels: i32[32] = 10 * 5 + i % 5
// finding: none

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* by_predicate, int* by_label, int* labels) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = threadIdx.x;
    auto side = cg::binary_partition(warp, i < 20);
    by_predicate[i] = 100 * side.size() + side.thread_rank();
    auto same = cg::labeled_partition(warp, i % 5);
    by_label[i] = 100 * same.size() + same.thread_rank();
    labels[i] = 10 * same.meta_group_size() + same.meta_group_rank();
}

void run(int* by_predicate, int* by_label, int* labels) { kernel<<<1, 32>>>(by_predicate, by_label, labels); }
