// about: A struct passed to a kernel by value.
// output out: i32[16] = (i % 4 + 1) * 10 + 5
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

struct Setup {
    short offset;
    int scale;
    int values[4];
};

__global__ void use(int* out, Setup setup) {
    out[threadIdx.x] = setup.values[threadIdx.x % 4] * setup.scale + setup.offset;
}

void run(int* out) {
    Setup setup = {5, 10, {1, 2, 3, 4}};
    use<<<1, 16>>>(out, setup);
}
