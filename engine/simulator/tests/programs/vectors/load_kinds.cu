// about: Vector loads and stores of two and four elements of one, two, four and eight bytes.
// input in: u8[256] = i
// output out: u8[256] = 255 - i
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void invert(const uint8_t* in, uint8_t* out) {
    const int i = threadIdx.x;
    const uchar2 a = ((const uchar2*)in)[i];
    ((uchar2*)out)[i] = make_uchar2(~a.x, ~a.y);
    const ushort4 b = ((const ushort4*)(in + 64))[i % 8];
    ((ushort4*)(out + 64))[i % 8] = make_ushort4(~b.x, ~b.y, ~b.z, ~b.w);
    const uint4 c = ((const uint4*)(in + 128))[i % 4];
    ((uint4*)(out + 128))[i % 4] = make_uint4(~c.x, ~c.y, ~c.z, ~c.w);
    const ulonglong2 d = ((const ulonglong2*)(in + 192))[i % 4];
    ((ulonglong2*)(out + 192))[i % 4] = make_ulonglong2(~d.x, ~d.y);
}

void run(const uint8_t* in, uint8_t* out) { invert<<<1, 32>>>(in, out); }
