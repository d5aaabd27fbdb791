// What a host function may use of the C library, and of C++ beside it.
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "workbook.cuh"

static int table[256];
static const char* const names[] = {"one", "two"};

__host__ __device__ int square(int x) { return x * x; }
__host__ int twice(int x) { return 2 * x; }

__global__ void store(const uint8_t* in, uint8_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n > 0);
    if (i < n) out[i] = std::min(static_cast<int>(in[i]) + square(2), UINT8_MAX);
}

void library(const uint8_t* in, uint8_t* out, int width, int height) {
    const size_t n = static_cast<size_t>(width) * height;
    srand(7);
    for (int i = 0; i < 256; ++i) table[i] = rand() % 256;
    double* sums = static_cast<double*>(calloc(4, sizeof(double)));
    sums[0] = std::sqrt(2) + pow(2, 3) + std::floor(2.5f) + fabs(-3) + M_PI + std::log2(8.0);
    sums[1] = std::max(1.5, 2.5) + max(1, 2) + std::abs(-4) + DBL_MAX * 0 + FLT_EPSILON + INT_MAX;
    std::swap(sums[0], sums[1]);
    int* squares = new int[8];
    for (int i = 0; i < 8; ++i) squares[i] = square(i) + twice(i);
    char text[16];
    std::strcpy(text, names[1]);
    if (std::strcmp(text, "two") != 0 || strlen(text) != 3 || memcmp(text, "tw", 2) != 0) abort();
    memmove(text + 1, text, 3);
    memcpy(squares, table, 2 * sizeof(int));
    fprintf(stdout, "%s %f %d %d\n", text, sums[0], squares[7], atoi("-12"));
    std::printf("%zu\n", std::size_t{n});
    puts("done");
    delete[] squares;
    free(sums);
    store<<<ceil_div(n, 256), 256>>>(in, out, static_cast<int>(n));
}
