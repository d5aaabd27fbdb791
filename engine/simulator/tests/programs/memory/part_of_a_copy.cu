// about: Asynchronous copies of some of their bytes: the rest are zeros, and are not read, not even
//   beyond the end of the array.
// input in: u8[509] = noise 5
// output out: u8[512] = i % 16 < (i / 16 < 31 ? i / 16 % 17 : 13) ? in[min(i, 508)] : 0
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void copy(const uint8_t* in, uint8_t* out) {
    __shared__ uint4 vectors[32];
    const int i = threadIdx.x, bytes = i < 31 ? i % 17 : 13;
    const uint32_t place = __cvta_generic_to_shared(&vectors[i]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(in + 16 * i),
                 "r"(bytes)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    reinterpret_cast<uint4*>(out)[i] = vectors[i];
}

void run(const uint8_t* in, uint8_t* out) { copy<<<1, 32>>>(in, out); }
