// about: Products of matrices by nvcuda::wmma: of halves, one of them column after column, and of bytes, added to 7.
// output halves: f32[256] = i / 16 - 2 * (i % 16) + 100
// output bytes: i32[256] = 7 + 5 * (i / 16) * (i % 16 == 3 ? 1 : 0)
// finding: none

#include "workbook.cuh"
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

// a holds its row in its column 0 and 1 in its column 1; b holds 1 in its row 0 and 100 - 2 * column in its row 1.
__global__ void kernel(float* halves, int* bytes) {
    __shared__ __half a[256], b[256];
    __shared__ signed char c[256], d[256];
    for (int i = threadIdx.x; i < 256; i += 32) {
        const int row = i / 16, column = i % 16;
        a[i] = column == 0 ? __half(row) : __half(column == 1 ? 1 : 0);
        b[16 * column + row] = row == 0 ? __half(1) : __half(row == 1 ? 100 - 2 * column : 0);
        c[i] = column == 5 ? row : 0;
        d[i] = row == 5 && column == 3 ? 5 : 0;
    }
    __syncwarp();
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, col_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    load_matrix_sync(left, a, 16);
    load_matrix_sync(right, b, 16);
    mma_sync(sum, left, right, sum);
    store_matrix_sync(halves, sum, 16, mem_row_major);
    fragment<matrix_a, 16, 16, 16, signed char, row_major> first;
    fragment<matrix_b, 16, 16, 16, signed char, row_major> second;
    fragment<accumulator, 16, 16, 16, int> whole;
    fill_fragment(whole, 7);
    load_matrix_sync(first, c, 16);
    load_matrix_sync(second, d, 16);
    mma_sync(whole, first, second, whole);
    store_matrix_sync(bytes, whole, 16, mem_row_major);
}

void run(float* halves, int* bytes) { kernel<<<1, 32>>>(halves, bytes); }
