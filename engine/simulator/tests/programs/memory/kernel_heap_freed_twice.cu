// about: A kernel gives the same memory back twice.
// output out: i32[1] = any
// finding: W0505 error
// gpu: skip the driver may not notice

#include "workbook.cuh"

__global__ void kernel(int* out) {
    int* numbers = static_cast<int*>(malloc(16));
    numbers[0] = 5;
    out[0] = numbers[0];
    free(numbers);
    free(numbers);  // <- W0505
}

void run(int* out) { kernel<<<1, 1>>>(out); }
