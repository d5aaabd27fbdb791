// about: The values that atomicAdd returns are all different: tickets.
// output out: zeroed u32[65] = i == 0 ? 64 : 1
// finding: none

#include "workbook.cuh"

__global__ void ticket(unsigned* out) { atomicAdd(&out[1 + atomicAdd(&out[0], 1u)], 1u); }

void run(unsigned* out) { ticket<<<2, 32>>>(out); }
