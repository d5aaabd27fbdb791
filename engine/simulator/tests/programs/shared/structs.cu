// about: An array of structs in shared memory, padded by the compiler, copied whole.
// output out: i32[32] = (31 - i) * 3 + (31 - i) % 7
// finding: none
// sanitizer: initcheck

#include "workbook.cuh"

struct Pair {
    char small;
    int large;
};

__global__ void swap(int* out) {
    __shared__ Pair pairs[32];
    const int i = threadIdx.x;
    pairs[i].small = i % 7;
    pairs[i].large = 3 * i;
    __syncthreads();
    const Pair other = pairs[31 - i];
    out[i] = other.large + other.small;
}

void run(int* out) { swap<<<1, 32>>>(out); }
