// about: Smallest and largest, signed and unsigned.
// input in: i32[64] = (i * 37 % 64 - 32) * 3
// output signed_: zeroed i32[2] = {-96; 93}
// output unsigned_: zeroed u32[2] = {0; u32(-3)}
// finding: none

#include "workbook.cuh"

__global__ void extremes(const int* in, int* signed_, unsigned* unsigned_) {
    const int value = in[threadIdx.x];
    atomicMin(&signed_[0], value);
    atomicMax(&signed_[1], value);
    atomicMin(&unsigned_[0], (unsigned)value);
    atomicMax(&unsigned_[1], (unsigned)value);
}

void run(const int* in, int* signed_, unsigned* unsigned_) {
    extremes<<<1, 64>>>(in, signed_, unsigned_);
}
