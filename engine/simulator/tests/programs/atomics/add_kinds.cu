// about: Adding integers and floats to global memory from every thread of two blocks.
// output whole: zeroed u32[1] = 64
// output negative: zeroed i32[1] = -2016
// output wide: zeroed u64[1] = 64 * 0x100000000
// output real: zeroed f32[1] = 32.0
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void add(unsigned* whole, int* negative, unsigned long long* wide, float* real) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(whole, 1u);
    atomicAdd(negative, -i);
    atomicAdd(wide, 0x100000000ull);
    atomicAdd(real, 0.5f);
}

void run(unsigned* whole, int* negative, unsigned long long* wide, float* real) {
    add<<<2, 32>>>(whole, negative, wide, real);
}
