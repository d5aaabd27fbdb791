// about: Narrowing integers keeps the low bits; widening copies the sign or not.
// input in: i32[4] = {300; -1; 128; -32769}
// output bytes: u8[4] = u8(in[i])
// output signed_bytes: i8[4] = i8(in[i])
// output halves: i16[4] = i16(in[i])
// output widened: i64[4] = i8(in[i]) * 1000
// finding: none

#include "workbook.cuh"

__global__ void kernel(const int* in, uint8_t* bytes, signed char* signed_bytes, short* halves,
                       long long* widened) {
    const int i = threadIdx.x;
    bytes[i] = in[i];
    signed_bytes[i] = in[i];
    halves[i] = in[i];
    widened[i] = (long long)(signed char)in[i] * 1000;
}

void run(const int* in, uint8_t* bytes, signed char* signed_bytes, short* halves, long long* widened) {
    kernel<<<1, 4>>>(in, bytes, signed_bytes, halves, widened);
}
