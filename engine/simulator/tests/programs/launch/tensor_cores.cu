// about: A kernel with an instruction of the tensor cores is told as such, with its line.
// output out: f32[32] = any
// finding: W0511 error

#include "workbook.cuh"

__global__ void kernel(float* out) {
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};" : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(0));  // <- W0511
    out[threadIdx.x] = d0;
}

void run(float* out) { kernel<<<1, 32>>>(out); }
