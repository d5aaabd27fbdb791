// about: Even values are packed to the front: each lane counts the set bits below its own.
// input in: i32[32] = i * 5 % 7
// output out: zeroed i32[32] = i < sum(k, 0, 32, in[k] % 2 == 0) ?
//   in[smallest(c, 0, 32, in[c] % 2 == 0 && sum(k, 0, c, in[k] % 2 == 0) == i ? c : 99)] : 0
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void pack(const int* in, int* out) {
    const int lane = threadIdx.x, value = in[lane];
    const bool keep = value % 2 == 0;
    const unsigned kept = __ballot_sync(0xffffffffu, keep);
    if (keep) out[__popc(kept & ((1u << lane) - 1))] = value;
}

void run(const int* in, int* out) { pack<<<1, 32>>>(in, out); }
