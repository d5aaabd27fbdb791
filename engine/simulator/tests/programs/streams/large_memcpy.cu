// about: The C library copies more on the host than a loop of the interpreter could in time.
// input in: i32[64] = i
// output out: i32[64] = i * 2
// finding: none

#include "workbook.cuh"

void run(const int* in, int* out) {
    const size_t bytes = 64 << 20;
    int* one = static_cast<int*>(malloc(bytes));
    int* two = static_cast<int*>(malloc(bytes));
    for (int i = 0; i < 64; ++i) one[bytes / sizeof(int) - 64 + i] = 2 * i;
    std::memcpy(two, one, bytes);
    cudaMemcpy(out, two + bytes / sizeof(int) - 64, 64 * sizeof(int), cudaMemcpyHostToDevice);
    free(one);
    free(two);
}
