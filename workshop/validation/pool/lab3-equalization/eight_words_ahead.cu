// family: unrolled
// style: eight 4-byte loads a block apart are issued before anything else, in the count and in the look-up; table of words in shared memory
// expected bottleneck: shared memory: atomics in the first pass, conflicts of the look-up in the second
#include "workbook.cuh"

#define U 8
#define T 256

__global__ void __launch_bounds__(T) count8(const uint8_t* __restrict__ gray, uint32_t* bins,
                                            int n) {
    __shared__ uint32_t h[T / 32][256];
    for (int i = threadIdx.x; i < 256 * (T / 32); i += T) (&h[0][0])[i] = 0;
    __syncthreads();
    uint32_t* m = h[threadIdx.x >> 5];
    const uint32_t* in = (const uint32_t*)gray;
    const int words = n >> 2;
    for (int base = blockIdx.x * T * U; base < words; base += gridDim.x * T * U) {
        if (base + T * U <= words) {
            uint32_t w[U];
#pragma unroll
            for (int k = 0; k < U; k++) w[k] = in[base + k * T + threadIdx.x];
#pragma unroll
            for (int k = 0; k < U; k++) {
                atomicAdd(m + (w[k] & 255), 1u);
                atomicAdd(m + (w[k] >> 8 & 255), 1u);
                atomicAdd(m + (w[k] >> 16 & 255), 1u);
                atomicAdd(m + (w[k] >> 24), 1u);
            }
        } else {
            for (int i = base + threadIdx.x; i < words; i += T)
                for (int k = 0; k < 32; k += 8) atomicAdd(m + (in[i] >> k & 255), 1u);
        }
    }
    if (blockIdx.x == 0 && threadIdx.x < (n & 3)) atomicAdd(m + gray[4 * words + threadIdx.x], 1u);
    __syncthreads();
    uint32_t s = 0;
#pragma unroll
    for (int k = 0; k < T / 32; k++) s += h[k][threadIdx.x];
    if (s) atomicAdd(bins + threadIdx.x, s);
}

__global__ void table8(const uint32_t* bins, uint32_t* table, int n, int task) {
    __shared__ uint32_t c[256];
    c[threadIdx.x] = bins[threadIdx.x];
    __syncthreads();
    const int v = threadIdx.x;
    if (task == 0) {
        int low = 0, high = 255;
        while (c[low] * 1024ull < (unsigned)n) low++;
        while (c[high] * 1024ull < (unsigned)n) high--;
        const float f = high > low ? 255.0f / (high - low) : 0.0f;
        table[v] = high == low ? v : (uint32_t)(__saturatef((v - low) * f / 255.0f) * 255.0f +
                                                0.5f);
    } else {
        uint32_t below = 0, least = 0;
        for (int k = 0; k <= v; k++) {
            below += c[k];
            least = least ? least : below;
        }
        table[v] = (uint32_t)n == least || !below ? v
            : (uint32_t)((float)(below - least) / (float)(n - least) * 255.0f + 0.5f);
    }
}

__global__ void __launch_bounds__(T) look8(const uint8_t* __restrict__ gray,
                                           uint8_t* __restrict__ out,
                                           const uint32_t* __restrict__ table, int n) {
    __shared__ uint32_t t[256];
    t[threadIdx.x] = table[threadIdx.x];
    const uint32_t* in = (const uint32_t*)gray;
    const int words = n >> 2, base = blockIdx.x * T * U;
    uint32_t w[U];
#pragma unroll
    for (int k = 0; k < U; k++) w[k] = base + k * T + threadIdx.x < words
        ? in[base + k * T + threadIdx.x] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < U; k++)
        if (base + k * T + threadIdx.x < words)
            ((uint32_t*)out)[base + k * T + threadIdx.x] =
                t[w[k] & 255] | t[w[k] >> 8 & 255] << 8 | t[w[k] >> 16 & 255] << 16 |
                    t[w[k] >> 24] << 24;
    if (blockIdx.x == 0 && threadIdx.x < (n & 3))
        out[4 * words + threadIdx.x] = t[gray[4 * words + threadIdx.x]];
}

static void run(const uint8_t* gray, uint8_t* out, int n, int task) {
    uint32_t* m;
    WORKBOOK_CHECK(cudaMalloc(&m, 2048));
    WORKBOOK_CHECK(cudaMemset(m, 0, 1024));
    count8<<<132 * 6, T>>>(gray, m, n);
    table8<<<1, 256>>>(m, m + 256, n, task);
    look8<<<ceil_div(n, 4 * T * U), T>>>(gray, out, m + 256, n);
    WORKBOOK_CHECK(cudaFree(m));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    run(gray, out, width * height, 0);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    run(gray, out, width * height, 1);
}
