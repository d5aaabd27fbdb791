// Image kernels in the usual styles: tiles with a halo, scans, transposes, bit-packed masks, colour spaces.
typedef unsigned int u32;
typedef unsigned char u8;
typedef unsigned short u16;

extern "C" __global__ void hsv(const uchar4* __restrict__ in, float* __restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uchar4 p = in[i];
    const float r = p.x / 255.0f, g = p.y / 255.0f, b = p.z / 255.0f;
    const float most = fmaxf(r, fmaxf(g, b)), least = fminf(r, fminf(g, b)), d = most - least;
    float h = 0.0f;
    if (d > 0.0f) {
        if (most == r) h = fmodf((g - b) / d, 6.0f);
        else if (most == g) h = (b - r) / d + 2.0f;
        else h = (r - g) / d + 4.0f;
        h *= 60.0f;
        if (h < 0.0f) h += 360.0f;
    }
    out[3 * i] = h;
    out[3 * i + 1] = most == 0.0f ? 0.0f : d / most;
    out[3 * i + 2] = most;
}

#define TILE 16
extern "C" __global__ void sobel(const u8* in, u8* out, int width, int height) {
    __shared__ u8 tile[TILE + 2][TILE + 2];
    const int x0 = blockIdx.x * TILE - 1, y0 = blockIdx.y * TILE - 1;
    for (int k = threadIdx.y * TILE + threadIdx.x; k < (TILE + 2) * (TILE + 2); k += TILE * TILE) {
        const int x = min(max(x0 + k % (TILE + 2), 0), width - 1), y = min(max(y0 + k / (TILE + 2), 0), height - 1);
        tile[k / (TILE + 2)][k % (TILE + 2)] = in[y * width + x];
    }
    __syncthreads();
    const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    if (x >= width || y >= height) return;
    int gx = 0, gy = 0;
    for (int d = -1; d <= 1; d++) {
        const int weight = d == 0 ? 2 : 1;
        gx += weight * (tile[threadIdx.y + 1 + d][threadIdx.x + 2] - tile[threadIdx.y + 1 + d][threadIdx.x]);
        gy += weight * (tile[threadIdx.y + 2][threadIdx.x + 1 + d] - tile[threadIdx.y][threadIdx.x + 1 + d]);
    }
    out[y * width + x] = (u8)min(255, (int)sqrtf((float)(gx * gx + gy * gy)));
}

// Exclusive scan of a block, work-efficient, with padded shared memory.
extern "C" __global__ void scan(const u32* in, u32* out) {
    __shared__ u32 sums[256 + 8];
#define AT(i) ((i) + (i) / 32)
    const int t = threadIdx.x, n = 256;
    sums[AT(2 * t)] = in[2 * t];
    sums[AT(2 * t + 1)] = in[2 * t + 1];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) sums[AT(offset * (2 * t + 2) - 1)] += sums[AT(offset * (2 * t + 1) - 1)];
        offset *= 2;
    }
    if (t == 0) sums[AT(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int a = AT(offset * (2 * t + 1) - 1), b = AT(offset * (2 * t + 2) - 1);
            const u32 kept = sums[a];
            sums[a] = sums[b];
            sums[b] += kept;
        }
    }
    __syncthreads();
    out[2 * t] = sums[AT(2 * t)];
    out[2 * t + 1] = sums[AT(2 * t + 1)];
}

// 3 × 3 median by a network of exchanges in registers.
__device__ __forceinline__ void order(u8& a, u8& b) {
    const u8 least = min(a, b);
    b = max(a, b);
    a = least;
}
extern "C" __global__ void median(const u8* __restrict__ in, u8* __restrict__ out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    u8 p[9];
#pragma unroll
    for (int k = 0; k < 9; k++) p[k] = in[min(max(y + k / 3 - 1, 0), height - 1) * width + min(max(x + k % 3 - 1, 0), width - 1)];
#pragma unroll
    for (int round = 0; round < 9; round++)
#pragma unroll
        for (int k = round & 1; k + 1 < 9; k += 2) order(p[k], p[k + 1]);
    out[y * width + x] = p[4];
}

// Threshold to a bit mask by ballots, and run lengths out of its bits.
extern "C" __global__ void mask(const u8* in, u32* out, int n, int threshold) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const u32 bits = __ballot_sync(0xffffffff, i < n && in[i] >= threshold);
    if (threadIdx.x % 32 == 0) {
        out[2 * (i / 32)] = bits;
        out[2 * (i / 32) + 1] = __popc(bits & ~(bits << 1));
    }
}

extern "C" __global__ void transpose(const u16* in, u16* out, int width, int height) {
    __shared__ u16 tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < width && y + k < height) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < height && y + k < width) out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}
