// family: four steps, all on the GPU
// style: textbook: Hillis-Steele scan with two buffers, table in shared memory, words of four pixels
// expected bottleneck: two passes over the image: shared atomics in the first, shared loads in the second
#include "workbook.cuh"

constexpr int block_size = 256;
constexpr int words_per_thread = 16;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    int words = pixels / 4;
    const uchar4* in = reinterpret_cast<const uchar4*>(gray);
    int base = blockIdx.x * block_size * words_per_thread + threadIdx.x;
#pragma unroll 4
    for (int k = 0; k < words_per_thread; ++k) {
        int w = base + k * block_size;
        if (w < words) {
            uchar4 v = in[w];
            atomicAdd(&counts[v.x], 1u);
            atomicAdd(&counts[v.y], 1u);
            atomicAdd(&counts[v.z], 1u);
            atomicAdd(&counts[v.w], 1u);
        } else if (w == words) {
            for (int i = words * 4; i < pixels; ++i) atomicAdd(&counts[gray[i]], 1u);
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void range_table_kernel(const uint32_t* bins, uint8_t* table, int pixels) {
    __shared__ int low, high;
    int v = threadIdx.x;
    if (v == 0) {
        low = 255;
        high = 0;
    }
    __syncthreads();
    if (bins[v] >= (uint32_t)((pixels + 1023) / 1024)) {
        atomicMin(&low, v);
        atomicMax(&high, v);
    }
    __syncthreads();
    float scaled = low < high ? (v - low) * (255.0f / (high - low)) : v;
    table[v] = (uint8_t)(fminf(fmaxf(scaled, 0.0f), 255.0f) + 0.5f);
}

__global__ void cdf_table_kernel(const uint32_t* bins, uint8_t* table, int pixels) {
    __shared__ uint32_t buffer[2][256];
    __shared__ uint32_t smallest;
    int v = threadIdx.x;
    uint32_t mine = bins[v];
    buffer[0][v] = mine;
    __syncthreads();
    int from = 0;
    for (int d = 1; d < 256; d *= 2) {
        buffer[1 - from][v] = buffer[from][v] + (v >= d ? buffer[from][v - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    uint32_t cdf = buffer[from][v];
    if (mine != 0 && cdf == mine) smallest = mine;
    __syncthreads();
    uint32_t rest = pixels - smallest;
    uint8_t level = v;
    if (rest != 0 && cdf >= smallest) level = (uint8_t)((cdf - smallest) * 255.0f / rest + 0.5f);
    table[v] = level;
}

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ table, int pixels) {
    __shared__ uint8_t local[256];
    local[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    int words = pixels / 4;
    const uchar4* in = reinterpret_cast<const uchar4*>(gray);
    uchar4* to = reinterpret_cast<uchar4*>(out);
    int base = blockIdx.x * block_size * words_per_thread + threadIdx.x;
#pragma unroll 4
    for (int k = 0; k < words_per_thread; ++k) {
        int w = base + k * block_size;
        if (w < words) {
            uchar4 v = in[w];
            to[w] = make_uchar4(local[v.x], local[v.y], local[v.z], local[v.w]);
        } else if (w == words) {
            for (int i = words * 4; i < pixels; ++i) out[i] = local[gray[i]];
        }
    }
}

template <class Table>
void run(Table make_table, const uint8_t* gray, uint8_t* out, int pixels) {
    uint32_t* bins;
    uint8_t* table;
    WORKBOOK_CHECK(cudaMalloc(&bins, 256 * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMalloc(&table, 256));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 256 * sizeof(uint32_t)));
    int grid = ceil_div(pixels / 4 + 1, block_size * words_per_thread);
    histogram_kernel<<<grid, block_size>>>(gray, bins, pixels);
    make_table(bins, table);
    map_kernel<<<grid, block_size>>>(gray, out, table, pixels);
    WORKBOOK_CHECK(cudaFree(bins));
    WORKBOOK_CHECK(cudaFree(table));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pixels = width * height;
    run([=](uint32_t* bins, uint8_t* table) { range_table_kernel<<<1, 256>>>(bins, table, pixels); },
        gray, out, pixels);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pixels = width * height;
    run([=](uint32_t* bins, uint8_t* table) { cdf_table_kernel<<<1, 256>>>(bins, table, pixels); },
        gray, out, pixels);
}
