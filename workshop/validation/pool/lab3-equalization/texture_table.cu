// family: texture
// Style: the table is a one-dimensional texture of bytes, fetched once a pixel; 128 x 4 blocks.
// Limit: texture fetches at 32 different places a warp, and loads and stores of one byte.
#include "workbook.cuh"

__global__ void count(const uint8_t* gray, uint32_t* bins, int width, int height) {
    __shared__ uint32_t counts[256];
    const int thread = threadIdx.y * 128 + threadIdx.x;
    if (thread < 256) counts[thread] = 0;
    __syncthreads();
    for (int y = blockIdx.y * 4 + threadIdx.y; y < height; y += gridDim.y * 4)
        for (int x = blockIdx.x * 128 + threadIdx.x; x < width; x += gridDim.x * 128)
            atomicAdd(&counts[gray[y * width + x]], 1u);
    __syncthreads();
    if (thread < 256 && counts[thread] > 0) atomicAdd(&bins[thread], counts[thread]);
}

__global__ void stretch_table(const uint32_t* bins, uint8_t* table, uint32_t threshold) {
    __shared__ int low, high;
    if (threadIdx.x == 0) {
        low = 255;
        high = 0;
    }
    __syncthreads();
    const int v = threadIdx.x;
    if (bins[v] >= threshold) {
        atomicMin(&low, v);
        atomicMax(&high, v);
    }
    __syncthreads();
    const int span = max(high - low, 1), above = min(max(v - low, 0), span);
    table[v] = low == high ? v : (above * 510 + span) / (2 * span);
}

// Hillis and Steele with two buffers, so that a step needs one barrier.
__global__ void rank_table(const uint32_t* bins, uint8_t* table, int n) {
    __shared__ int sums[2][256];
    __shared__ int lowest;
    const int v = threadIdx.x;
    if (v == 0) lowest = n;
    sums[0][v] = bins[v];
    int from = 0;
    for (int offset = 1; offset < 256; offset *= 2) {
        __syncthreads();
        sums[1 - from][v] = sums[from][v] + (v >= offset ? sums[from][v - offset] : 0);
        from = 1 - from;
    }
    const int sum = sums[from][v];
    if (sum > 0) atomicMin(&lowest, sum);
    __syncthreads();
    const double share = lowest < n ? max(sum - lowest, 0) / static_cast<double>(n - lowest) : 0.0;
    table[v] = lowest == n ? v : static_cast<uint8_t>(255.0 * share + 0.5);
}

__global__ void map(const uint8_t* gray, uint8_t* out, cudaTextureObject_t table, int width,
                    int height) {
    const int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex1Dfetch<unsigned char>(table, gray[y * width + x]);
}

cudaTextureObject_t texture_of(uint8_t* table) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = table;
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.linear.sizeInBytes = 256;
    cudaTextureDesc how;
    memset(&how, 0, sizeof(how));
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    return texture;
}

void run(bool stretch, const uint8_t* gray, uint8_t* out, int width, int height) {
    uint32_t* bins;
    uint8_t* table;
    cudaMalloc(&bins, 1024);
    cudaMalloc(&table, 256);
    cudaMemset(bins, 0, 1024);
    const dim3 block(128, 4), grid(ceil_div(width, 128), ceil_div(height, 4));
    count<<<dim3(min(grid.x, 16u), min(grid.y, 32u)), block>>>(gray, bins, width, height);
    if (stretch)
        stretch_table<<<1, 256>>>(bins, table, ceil_div(width * height, 1024));
    else
        rank_table<<<1, 256>>>(bins, table, width * height);
    const cudaTextureObject_t texture = texture_of(table);
    map<<<grid, block>>>(gray, out, texture, width, height);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    cudaFree(table);
    cudaFree(bins);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    run(true, gray, out, width, height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    run(false, gray, out, width, height);
}
