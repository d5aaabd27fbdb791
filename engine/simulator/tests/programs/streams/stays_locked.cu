// about: Registered memory is not let go before the function ends.
// input in: i32[64] = i
// output out: i32[64] = i * 2
// finding: W0615 warning

#include "workbook.cuh"

void run(const int* in, int* out) {
    int* host = static_cast<int*>(malloc(64 * sizeof(int)));
    cudaHostRegister(host, 64 * sizeof(int), cudaHostRegisterDefault);  // <- W0615
    for (int i = 0; i < 64; ++i) host[i] = 2 * i;
    cudaMemcpy(out, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
}
