// about: A function that writes through pointers to its caller's variables.
// output out: i32[32] = i / 7 * 100 + i % 7
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__noinline__ __device__ void divide(int a, int b, int* quotient, int* rest) {
    *quotient = a / b;
    *rest = a % b;
}

__global__ void both(int* out) {
    int quotient, rest;
    divide(threadIdx.x, 7, &quotient, &rest);
    out[threadIdx.x] = quotient * 100 + rest;
}

void run(int* out) { both<<<1, 32>>>(out); }
