// about: A block raises a flag behind a volatile value and a fence.
// output value: zeroed i32[4] = i + 1
// output flag: zeroed i32[5] = i < 4 ? 1 : 4
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(volatile int* value, volatile int* flag, int* tickets) {
    if (threadIdx.x == 0) {
        const int tile = atomicAdd(tickets, 1);
        int before = 0;
        if (tile > 0) {
            while (flag[tile - 1] == 0) {
            }
            before = value[tile - 1];
        }
        value[tile] = before + 1;
        __threadfence();
        flag[tile] = 1;
    }
}

void run(int* value, int* flag) { kernel<<<4, 32>>>(value, flag, flag + 4); }
