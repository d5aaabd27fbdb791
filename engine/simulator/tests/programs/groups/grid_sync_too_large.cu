// about: A cooperative launch of one block more than the GPU holds at once; then one that fits.
// output codes: i32[2] = {720; 0}
// finding: W0509 error

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* codes) {
    cg::this_grid().sync();
    if (threadIdx.x == 0 && blockIdx.x == 0) codes[1] = 0;
}

void run(int* codes) {
    int resident = 0, multiprocessors = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, 1024, 0);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int most = resident * multiprocessors;
    void* arguments[] = {&codes};
    const int code = cudaLaunchCooperativeKernel(kernel, dim3(most + 1), dim3(1024), arguments);  // <- W0509
    cudaMemcpy(codes, &code, sizeof(code), cudaMemcpyHostToDevice);
    cudaLaunchCooperativeKernel(kernel, dim3(most), dim3(1024), arguments);
}
