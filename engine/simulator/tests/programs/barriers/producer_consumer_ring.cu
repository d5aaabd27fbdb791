// about: A ring of two boxes between a producer and a consumer warp, with a full and an empty barrier each.
// output out: i32[256] = i + 1
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__device__ void wait(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__device__ void arrive(int id) { asm volatile("bar.arrive %0, 64;" ::"r"(id) : "memory"); }

__global__ void kernel(int* out) {
    __shared__ int box[2][32];
    const int lane = threadIdx.x % 32;
    const bool producer = threadIdx.x < 32;
    for (int k = 0; k < 8; ++k) {
        const int slot = k % 2, full = 1 + slot, empty = 3 + slot;
        if (producer) {
            if (k >= 2) wait(empty);
            box[slot][lane] = k * 32 + lane + 1;
            arrive(full);
        } else {
            wait(full);
            out[k * 32 + lane] = box[slot][lane];
            if (k < 6) arrive(empty);
        }
    }
}

void run(int* out) { kernel<<<1, 64>>>(out); }
