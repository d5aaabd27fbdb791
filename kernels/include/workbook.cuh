// What a lab file includes. The same file compiles under the checker and under nvcc:
//     nvcc -c my_lab.cu -I <the folder of this file>
// Beyond the CUDA runtime and the C headers that most files need, it adds two helpers and nothing else.
#pragma once

#include <cuda_runtime.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

// How many groups of `size` hold `count` elements: the blocks of a grid, say. Both are positive.
//     kernel<<<ceil_div(n, 256), 256>>>(…);
template <class Count, class Size>
__host__ __device__ constexpr auto ceil_div(Count count, Size size) -> decltype(count / size) {
    return count / size + (count % size != 0 ? 1 : 0);
}

// Runs a CUDA runtime call; if it fails, prints where and why, and ends the program.
//     WORKBOOK_CHECK(cudaMemcpy(out, in, bytes, cudaMemcpyDeviceToDevice));
//     kernel<<<grid, block>>>(…);
//     WORKBOOK_CHECK(cudaGetLastError());
#define WORKBOOK_CHECK(call)                                     \
    do {                                                         \
        const cudaError_t workbook_status = (call);              \
        if (workbook_status != cudaSuccess) {                    \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorString(workbook_status));         \
            exit(EXIT_FAILURE);                                  \
        }                                                        \
    } while (0)
