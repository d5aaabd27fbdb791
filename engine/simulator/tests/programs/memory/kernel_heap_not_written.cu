// about: Memory of malloc holds nothing in particular.
// output out: i32[1] = any
// finding: W0204 error
// gpu: skip any value will do

#include "workbook.cuh"

__global__ void kernel(int* out) {
    int* numbers = static_cast<int*>(malloc(16));
    out[0] = numbers[1];
    free(numbers);
}

void run(int* out) { kernel<<<1, 1>>>(out); }
