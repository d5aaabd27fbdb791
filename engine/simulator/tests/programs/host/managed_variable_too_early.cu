// about: The host reads a __managed__ variable while the kernel that writes it may still run.
// output out: i32[1] = any
// finding: W0620 error

#include "workbook.cuh"

__managed__ int value;

__global__ void kernel() { value = 3; }
__global__ void store(int* out, int sum) { out[0] = sum; }

void run(int* out) {
    kernel<<<1, 1>>>();
    const int early = value;  // <- W0620
    store<<<1, 1>>>(out, early);
}
