// about: Kernels allocate with malloc and new, hand the memory on to other threads, and give it back; no memory is left for 16 MB.
// input in: i32[64] = 3 * i + 1
// output out: i32[66] = i < 64 ? 3 * i + 2 : i == 64 ? 1 : 2016
// finding: none

#include "workbook.cuh"

struct Counted {
    int value;
    __device__ explicit Counted(int value) : value(value) {}
    __device__ int next() const { return value + 1; }
};

__device__ int* kept;

__global__ void kernel(const int* in, int* out) {
    __shared__ Counted* made[32];
    const int i = 32 * blockIdx.x + threadIdx.x;
    made[threadIdx.x] = new Counted(in[i]);
    __syncwarp();
    Counted* other = made[31 - threadIdx.x];
    out[32 * blockIdx.x + 31 - threadIdx.x] = other->next();
    delete other;
    if (i > 0) return;
    void* large = malloc(16 << 20);
    out[64] = large == nullptr;
    free(large);
    kept = static_cast<int*>(malloc(64 * sizeof(int)));
    for (int j = 0; j < 64; ++j) kept[j] = j;
}

__global__ void sum(int* out) {
    int all = 0;
    for (int j = 0; j < 64; ++j) all += kept[j];
    free(kept);
    out[65] = all;
}

void run(const int* in, int* out) {
    kernel<<<2, 32>>>(in, out);
    sum<<<1, 1>>>(out);
}
