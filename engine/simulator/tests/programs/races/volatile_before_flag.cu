// about: A block raises a flag behind a volatile value, with no fence between.
// output value: zeroed i32[4] = any
// output flag: zeroed i32[5] = any
// finding: W0303 error
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(volatile int* value, volatile int* flag, int* tickets) {
    if (threadIdx.x == 0) {
        const int tile = atomicAdd(tickets, 1);
        int before = 0;
        if (tile > 0) {
            while (flag[tile - 1] == 0) {
            }
            before = value[tile - 1];  // <- W0303
        }
        value[tile] = before + 1;
        flag[tile] = 1;
    }
}

void run(int* value, int* flag) { kernel<<<4, 32>>>(value, flag, flag + 4); }
