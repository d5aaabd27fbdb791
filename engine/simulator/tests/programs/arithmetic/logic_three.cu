// about: Any function of three bits in one instruction.
// input in: u32[3] = {0xff00ff00; 0xf0f0f0f0; 0xcccccccc}
// output out: u32[3] = {in[0] ^ in[1] ^ in[2]; in[0] & in[1] | ~in[0] & in[2] & 0xffffffff;
//   in[0] & in[1] | in[0] & in[2] | in[1] & in[2]}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* in, unsigned* out) {
    const unsigned a = in[0], b = in[1], c = in[2];
    out[0] = a ^ b ^ c;
    out[1] = (a & b) | (~a & c);
    out[2] = (a & b) | (a & c) | (b & c);
}

void run(const unsigned* in, unsigned* out) { kernel<<<1, 1>>>(in, out); }
