// family: atomics shared
// style: half turned around: a thread weighs five neighbours of an input row and adds them to the sums of five rows in shared memory, by atomics
// expected bottleneck: shared atomics, six per result, and five byte loads for each input
#include "workbook.cuh"

constexpr int side_x = 32, side_y = 24;

__device__ int reach(int i, int size, bool triangle) {
    int sum = 0;
    for (int d = -2; d <= 2; d++) sum += i + d >= 0 && i + d < size ? (triangle ? 3 - abs(d) : 1)
        : 0;
    return sum;
}

template <int channels>
__global__ void scatter_rows(const uint8_t* in, uint8_t* out, const int* filter, int divisor,
                             bool triangle, int width, int height) {
    __shared__ int sums[side_y][side_x];
    __shared__ int f[25];
    const int x0 = blockIdx.x * side_x, y0 = blockIdx.y * side_y, c = blockIdx.z;
    const int me = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (int k = me; k < side_x * side_y; k += threads) sums[k / side_x][k % side_x] = 0;
    if (me < 25) f[me] = filter[me];
    __syncthreads();
    const int x = x0 + threadIdx.x;
    for (int ty = (int)threadIdx.y - 2; ty < side_y + 2; ty += blockDim.y) {
        const int y = y0 + ty;
        if (x >= width || y < 0 || y >= height) continue;
        int value[5];
#pragma unroll
        for (int j = 0; j < 5; j++) {
            const int nx = x + j - 2;
            value[j] = nx >= 0 && nx < width ? in[channels * (y * width + nx) + c] : 0;
        }
#pragma unroll
        for (int i = 0; i < 5; i++) {
            const int target = ty - (i - 2);
            if (target < 0 || target >= side_y) continue;
            int sum = 0;
#pragma unroll
            for (int j = 0; j < 5; j++) sum += f[5 * i + j] * value[j];
            atomicAdd(&sums[target][threadIdx.x], sum);
        }
    }
    __syncthreads();
    for (int ty = threadIdx.y; ty < side_y; ty += blockDim.y) {
        const int y = y0 + ty;
        if (x >= width || y >= height) continue;
        const int at = channels * (y * width + x) + c;
        if (channels == 1) {
            const int weight = reach(x, width, triangle) * reach(y, height, triangle);
            out[at] = (sums[ty][threadIdx.x] + weight / 2) / weight;
        } else if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) {
            out[at] = in[at];
        } else {
            out[at] = min(max(sums[ty][threadIdx.x] / divisor, 0), 255);
        }
    }
}

template <int channels>
void launch(const uint8_t* in, uint8_t* out, const int* host, int divisor, bool triangle, int width,
            int height) {
    int* filter;
    WORKBOOK_CHECK(cudaMalloc(&filter, 100));
    WORKBOOK_CHECK(cudaMemcpy(filter, host, 100, cudaMemcpyHostToDevice));
    const dim3 grid(ceil_div(width, side_x), ceil_div(height, side_y), channels);
    scatter_rows<channels><<<grid, dim3(side_x, 7)>>>(in, out, filter, divisor, triangle, width,
                                                      height);
    WORKBOOK_CHECK(cudaFree(filter));
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    int ones[25];
    for (int k = 0; k < 25; k++) ones[k] = 1;
    launch<1>(gray, out, ones, 1, false, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pyramid[25];
    for (int k = 0; k < 25; k++) pyramid[k] = (3 - abs(k / 5 - 2)) * (3 - abs(k % 5 - 2));
    launch<1>(gray, out, pyramid, 1, true, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    launch<3>(rgb, out, filter25, divisor, false, width, height);
}
