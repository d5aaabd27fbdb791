// family: tickets and flags
// style: two launches: the last block that finishes counting makes the table, with a Hillis-Steele scan in shared memory
// expected bottleneck: shared atomics of the count, one per pixel; then byte loads of the second pass
#include "workbook.cuh"

__device__ uint32_t g_bins[256];
__device__ uint8_t g_table[256];
__device__ unsigned int g_done;

__global__ void count_then_table(const uint8_t* gray, int n, int task) {
    __shared__ uint32_t a[256];
    __shared__ uint32_t b[256];
    __shared__ int is_last, low, high;
    const int t = threadIdx.x;
    a[t] = 0;
    if (t == 0) {
        low = 255;
        high = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) atomicAdd(&a[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&g_bins[t], a[t]);
    __threadfence();
    __syncthreads();
    if (t == 0) is_last = atomicAdd(&g_done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    const uint32_t count = atomicExch(&g_bins[t], 0u);  // and ready for the next image
    if (t == 0) g_done = 0;
    if (task == 0) {
        if (1024ull * count >= (unsigned long long)n) {
            atomicMin(&low, t);
            atomicMax(&high, t);
        }
        __syncthreads();
        int v = t;
        if (high > low) v = t <= low ? 0 : t >= high ? 255 : (2 * 255 * (t - low) + (high - low))
            / (2 * (high - low));
        g_table[t] = v;
        return;
    }
    a[t] = count;
    __syncthreads();
    uint32_t *from = a, *to = b;
    for (int d = 1; d < 256; d *= 2) {
        to[t] = from[t] + (t >= d ? from[t - d] : 0u);
        __syncthreads();
        uint32_t* swap = from;
        from = to;
        to = swap;
    }
    // The lowest level that occurs is where the sum and the count are equal and not zero.
    __shared__ uint32_t least;
    if (count > 0 && from[t] == count) least = count;
    __syncthreads();
    const double range = (double)n - least;
    if (range == 0.0) g_table[t] = t;
    else g_table[t] = from[t] < least ? 0 : (uint8_t)rint((from[t] - least) * 255.0 / range);
}

__global__ void translate(const uint8_t* gray, uint8_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = g_table[gray[i]];
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    count_then_table<<<792, 256>>>(gray, n, 0);
    translate<<<ceil_div(n, 256), 256>>>(gray, out, n);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    count_then_table<<<792, 256>>>(gray, n, 1);
    translate<<<ceil_div(n, 256), 256>>>(gray, out, n);
}
