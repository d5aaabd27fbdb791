// why: occupancy functions size the launch; its shared memory depends on the block.
// tasks: grayscale
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int n) {
    extern __shared__ uint8_t staged[];
    for (int first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
        const int here = min(static_cast<int>(blockDim.x), n - first);
        for (int i = threadIdx.x; i < 3 * here; i += blockDim.x) staged[i] = rgb[3 * first + i];
        __syncthreads();
        if (threadIdx.x < here) {
            const uint8_t* p = &staged[3 * threadIdx.x];
            gray[first + threadIdx.x] = (30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100;
        }
        __syncthreads();
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int grid = 0, block = 0;
    const auto bytes = [](int threads) -> size_t { return 3 * threads; };
    WORKBOOK_CHECK(
        cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, gray_kernel, bytes));
    int resident = 0;
    WORKBOOK_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &resident, gray_kernel, block, bytes(block), cudaOccupancyDefault));
    const int n = width * height;
    if (resident > 0)
        gray_kernel<<<min(grid, ceil_div(n, block)), block, bytes(block)>>>(rgb, gray, n);
}
