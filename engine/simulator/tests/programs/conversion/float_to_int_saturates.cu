// about: Out of range becomes the largest or smallest; not-a-number becomes 0.
// input in: f32[5] = {3e9; -3e9; inf; -inf; nan}
// output signed_: i32[5] = {2147483647; -2147483648; 2147483647; -2147483648; 0}
// output unsigned_: u32[5] = {3000000000; 0; 0xffffffff; 0; 0}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* in, int* signed_, unsigned* unsigned_) {
    const int i = threadIdx.x;
    signed_[i] = __float2int_rz(in[i]);
    unsigned_[i] = __float2uint_rz(in[i]);
}

void run(const float* in, int* signed_, unsigned* unsigned_) { kernel<<<1, 5>>>(in, signed_, unsigned_); }
