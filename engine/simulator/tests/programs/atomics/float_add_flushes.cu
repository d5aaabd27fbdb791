// about: A float added atomically in global memory loses subnormal numbers; in shared memory it keeps them.
// output out: zeroed u32[4] = i == 1 ? 3 : i == 3 ? 0x00800000 : 0
// finding: none

#include "workbook.cuh"

// Bits of floats: 1 and 2 are subnormal, 0x00800000 is the least normal number.
__global__ void add(uint32_t* out) {
    __shared__ float cell;
    cell = __uint_as_float(1);
    atomicAdd(&cell, __uint_as_float(2));
    out[1] = __float_as_uint(cell);
    float* global = reinterpret_cast<float*>(out);
    // Subnormal plus subnormal, in an operand and in the result.
    atomicAdd(&global[0], __uint_as_float(2));
    // A subnormal result of normal numbers.
    global[2] = __uint_as_float(0x00800001);
    atomicAdd(&global[2], -__uint_as_float(0x00800000));
    // A subnormal operand beside a normal one.
    global[3] = __uint_as_float(0x00800000);
    atomicAdd(&global[3], __uint_as_float(2));
}

void run(uint32_t* out) { add<<<1, 1>>>(out); }
