// Allocation, copies, fills, symbols.
#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>

__constant__ float filter[25];
__device__ int counter;
static __device__ unsigned int hidden[4];
static const float host_filter[25] = {1, 2, 3};

__global__ void use(uint8_t* out) {
    out[0] = static_cast<uint8_t>(filter[1] + counter + hidden[2]);
}

void memory(const uint8_t* in, uint8_t* out, int width, int height) {
    const size_t bytes = static_cast<size_t>(width) * height;
    uint8_t *scratch, *pinned, *also_pinned, *managed, *rows, *ordered;
    size_t pitch, free_bytes, total_bytes, symbol_bytes;
    cudaMalloc(&scratch, bytes);
    cudaMalloc((void**)&ordered, bytes);
    cudaMallocHost((void**)&pinned, bytes);
    cudaHostAlloc(&also_pinned, bytes, cudaHostAllocDefault);
    cudaMallocManaged(&managed, bytes);
    cudaMallocPitch(&rows, &pitch, width, height);
    uint8_t *pageable = static_cast<uint8_t*>(malloc(bytes)), *mapped;
    cudaHostRegister(pageable, bytes, cudaHostRegisterDefault);
    cudaHostGetDevicePointer(&mapped, pageable, 0);
    cudaHostUnregister(pageable);
    free(pageable);
    cudaMemGetInfo(&free_bytes, &total_bytes);
    uint8_t* on_host = static_cast<uint8_t*>(malloc(bytes));
    memset(on_host, 3, bytes);

    cudaMemcpy(on_host, in, bytes, cudaMemcpyDeviceToHost);
    on_host[0] += 1;
    cudaMemcpy(scratch, on_host, bytes, cudaMemcpyHostToDevice);
    cudaMemcpyAsync(pinned, scratch, bytes, cudaMemcpyDefault);
    cudaMemcpy2D(rows, pitch, scratch, width, width, height, cudaMemcpyDeviceToDevice);
    cudaMemcpy2DAsync(scratch, width, rows, pitch, width, height, cudaMemcpyDeviceToDevice, 0);
    cudaMemset(scratch, 0, bytes);
    cudaMemsetAsync(scratch, 255, bytes, 0);
    cudaMemset2D(rows, pitch, 1, width, height);
    cudaMemPrefetchAsync(managed, bytes, 0, 0);

    cudaMemcpyToSymbol(filter, host_filter, sizeof(host_filter));
    const int zero = 0;
    cudaMemcpyToSymbol(counter, &zero, sizeof(int));
    cudaMemcpyToSymbolAsync(hidden, &zero, sizeof(int), 2 * sizeof(int), cudaMemcpyHostToDevice, 0);
    int back;
    cudaMemcpyFromSymbol(&back, counter, sizeof back);
    cudaMemcpyFromSymbolAsync(&back, hidden, sizeof back, 4);
    float* address;
    cudaGetSymbolAddress((void**)&address, filter);
    cudaGetSymbolSize(&symbol_bytes, filter);
    use<<<1, 1>>>(out);

    free(on_host);
    cudaFree(scratch);
    cudaFreeAsync(ordered, 0);
    cudaFreeHost(pinned);
    cudaFreeHost(also_pinned);
    cudaFree(managed);
    cudaFree(rows);
}
