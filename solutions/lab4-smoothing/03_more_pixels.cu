// Rung 3: more pixels a thread.
//
// Before:   one pixel a thread: for 47 million pixels as many threads are started, and end at once.
// Change:   fewer threads, each of which takes several pixels of its column. The two ways of the
//           report: the means have a grid that grows with the image (`rows_a_thread` rounds), the
//           filter a grid of fixed height. A round steps down by the height of the whole grid, so
//           that the threads of a warp stay side by side.
// Expected: hardly any change: the report found none either, except for small images. The 25 loads
//           and the border checks of a pixel remain.
#include "workbook.cuh"

constexpr int block_width = 32;  // tune: 16 32
constexpr int block_height = 8;  // tune: 4 8 16
static_assert(block_width * block_height <= 1024, "no more threads than a block may hold");
constexpr int radius = 2;

constexpr int rows_a_thread = 8;  // tune: 1 4 8 16
constexpr int fixed_grid_height = 45;

// A grid has room for this many blocks in y; taller images are finished in further rounds.
constexpr int max_grid_height = 65535;

// Grows with the image: about `rows_a_thread` rounds.
dim3 dynamic_grid(int width, int height) {
    const int rows = ceil_div(height, block_height * rows_a_thread);
    return dim3(ceil_div(width, block_width), rows < max_grid_height ? rows : max_grid_height);
}

// Of fixed height: the rounds grow with the image.
dim3 fixed_grid(int width) { return dim3(ceil_div(width, block_width), fixed_grid_height); }

template <bool triangular>
__device__ int weight_at(int distance) {
    return triangular ? radius + 1 - abs(distance) : 1;
}

// The weighted mean over the neighbours of (x, y) that exist, rounded, halves up.
template <bool triangular>
__device__ uint8_t mean_at(const uint8_t* gray, int x, int y, int width, int height) {
    int sum = 0, total = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            const int column = x + dx, row = y + dy;
            if (column < 0 || column >= width || row < 0 || row >= height) continue;
            const int weight = weight_at<triangular>(dx) * weight_at<triangular>(dy);
            sum += weight * gray[row * width + column];
            total += weight;
        }
    }
    return (sum + total / 2) / total;
}

// ANCHOR: kernel
template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        out[y * width + x] = mean_at<triangular>(gray, x, y, width, height);
}
// ANCHOR_END: kernel

__device__ bool is_border(int x, int y, int width, int height) {
    return x < radius || y < radius || x >= width - radius || y >= height - radius;
}

// One channel of one inner pixel; `centre` is its byte.
__device__ uint8_t filtered(const uint8_t* centre, const int* filter, int divisor, int width) {
    int sum = 0;
    for (int k = 0; k < 25; ++k) {
        const int dx = k % 5 - radius, dy = k / 5 - radius;
        sum += filter[k] * centre[3 * (dy * width + dx)];
    }
    return min(max(sum / divisor, 0), 255);
}

__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  const int* __restrict__ filter, int divisor, int width,
                                  int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const bool border = is_border(x, y, width, height);
        for (int channel = 0; channel < 3; ++channel) {
            const int i = 3 * (y * width + x) + channel;
            out[i] = border ? rgb[i] : filtered(rgb + i, filter, divisor, width);
        }
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(block_width, block_height);
    smooth_kernel<false><<<dynamic_grid(width, height), block>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(block_width, block_height);
    smooth_kernel<true><<<dynamic_grid(width, height), block>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter = nullptr;
    WORKBOOK_CHECK(cudaMalloc(&filter, 25 * sizeof(int)));
    WORKBOOK_CHECK(cudaMemcpy(filter, filter25, 25 * sizeof(int), cudaMemcpyHostToDevice));
    const dim3 block(block_width, block_height);
    filter_rgb_kernel<<<fixed_grid(width), block>>>(rgb, out, filter, divisor, width, height);
    WORKBOOK_CHECK(cudaFree(filter));
}
