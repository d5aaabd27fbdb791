// about: 32 x 32 bits to 64, signed and unsigned, and a 64-bit multiply-add.
// input a: i32[4] = {-1; 2147483647; -2147483648; 1000003}
// output signed_: i64[4] = a[i] * a[i] - 5
// output unsigned_: u64[4] = u64(u32(a[i]) * u32(a[i]) + 7)
// finding: none

#include "workbook.cuh"

__global__ void kernel(const int* a, long long* signed_, unsigned long long* unsigned_) {
    const int i = threadIdx.x;
    signed_[i] = (long long)a[i] * a[i] - 5;
    unsigned_[i] = (unsigned long long)(unsigned)a[i] * (unsigned)a[i] + 7;
}

void run(const int* a, long long* signed_, unsigned long long* unsigned_) {
    kernel<<<1, 4>>>(a, signed_, unsigned_);
}
