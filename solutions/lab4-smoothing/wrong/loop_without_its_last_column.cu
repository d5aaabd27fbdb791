// expect: mismatch smooth_triangular
// fault: the loop over the columns ends before the last one.
#include "workbook.cuh"

__global__ void smooth_box_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                                  int width, int height) {
    __shared__ int tile[12][36];
    const int left = blockIdx.x * 32 - 2;
    const int top = blockIdx.y * 8 - 2;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 12 * 36; k += 256) {
        int tx = k % 36;
        int ty = k / 36;
        int gx = left + tx;
        int gy = top + ty;
        tile[ty][tx] = gx >= 0 && gx < width && gy >= 0 && gy < height ? gray[gy * width + gx] : -1;
    }
    __syncthreads();
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    int count = 0;
    for (int dy = 0; dy < 5; dy++) {
        for (int dx = 0; dx < 5; dx++) {
            int v = tile[threadIdx.y + dy][threadIdx.x + dx];
            if (v >= 0) {
                sum += v;
                count++;
            }
        }
    }
    out[y * width + x] = (sum + count / 2) / count;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_box_kernel<<<grid, block>>>(gray, out, width, height);
}

__global__ void smooth_triangular_kernel(const uint8_t* __restrict__ gray,
                                         uint8_t* __restrict__ out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int sum = 0;
        int weights = 0;
        for (int dy = -2; dy <= 2; dy++) {
            for (int dx = -2; dx < 2; dx++) {
                int nx = x + dx;
                int ny = y + dy;
                if (nx < 0 || nx >= width || ny < 0 || ny >= height) continue;
                int w = (3 - abs(dx)) * (3 - abs(dy));
                sum += w * gray[ny * width + nx];
                weights += w;
            }
        }
        out[y * width + x] = (sum + weights / 2) / weights;
    }
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(16, 16);
    const dim3 grid((width + 15) / 16, (height + 15) / 16);
    smooth_triangular_kernel<<<grid, block>>>(gray, out, width, height);
}

__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  const int* __restrict__ filter, int divisor, int width,
                                  int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    for (int c = 0; c < 3; c++) {
        int at = 3 * (y * width + x) + c;
        if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) {
            out[at] = rgb[at];
            continue;
        }
        int sum = 0;
        for (int dy = -2; dy <= 2; dy++) {
            for (int dx = -2; dx <= 2; dx++) {
                sum += filter[5 * (dy + 2) + dx + 2] * rgb[3 * ((y + dy) * width + x + dx) + c];
            }
        }
        sum /= divisor;
        if (sum < 0) sum = 0;
        if (sum > 255) sum = 255;
        out[at] = sum;
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter;
    cudaMalloc(&filter, 25 * sizeof(int));
    cudaMemcpy(filter, filter25, 25 * sizeof(int), cudaMemcpyHostToDevice);
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    filter_rgb_kernel<<<grid, block>>>(rgb, out, filter, divisor, width, height);
    cudaFree(filter);
}
