// about: The guard says <= where it has to say <.
// input in: u8[37] = i
// output out: u8[37] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void copy(const uint8_t* in, uint8_t* out, int n) {
    const int i = threadIdx.x;
    if (i <= n) {
        const uint8_t value = in[i];  // <- W0101
        out[i] = value;
    }
}

void run(const uint8_t* in, uint8_t* out) { copy<<<1, 64>>>(in, out, 37); }
