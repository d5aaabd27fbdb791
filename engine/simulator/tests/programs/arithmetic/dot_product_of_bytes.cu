// about: Four products of bytes and their sum in one instruction.
// input a: u32[2] = {0x01020304; 0xff7f8001}
// input b: u32[2] = {0x05060708; 0x02020202}
// output signed_: i32[2] = {5 + 12 + 21 + 32 + 10; 2 * (-1 + 127 - 128 + 1) + 10}
// output unsigned_: u32[2] = {5 + 12 + 21 + 32 + 10; 2 * (255 + 127 + 128 + 1) + 10}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* a, const unsigned* b, int* signed_, unsigned* unsigned_) {
    const int i = threadIdx.x;
    signed_[i] = __dp4a((int)a[i], (int)b[i], 10);
    unsigned_[i] = __dp4a(a[i], b[i], 10u);
}

void run(const unsigned* a, const unsigned* b, int* signed_, unsigned* unsigned_) {
    kernel<<<1, 2>>>(a, b, signed_, unsigned_);
}
