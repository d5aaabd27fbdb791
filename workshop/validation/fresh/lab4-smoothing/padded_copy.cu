// family: padded scratch image
// style: practical engineer: first a copy with a border of zeros and an aligned pitch, then a kernel without any test
// expected bottleneck: the extra copy, then 25 cached loads of one byte per result
#include "workbook.cuh"

struct Padded {
    uint8_t* memory;
    int pitch;
    int step;  // bytes per pixel
};

__global__ void pad(const uint8_t* in, Padded to, int row_bytes, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x >= to.pitch) return;
    int from_x = x - 2 * to.step, from_y = y - 2;
    uint8_t value = 0;
    if (from_x >= 0 && from_x < row_bytes && from_y >= 0 && from_y < height)
        value = in[(size_t)from_y * row_bytes + from_x];
    to.memory[(size_t)y * to.pitch + x] = value;
}

static Padded make_padded(const uint8_t* in, int step, int width, int height) {
    Padded p;
    p.step = step;
    p.pitch = ceil_div((width + 4) * step, 128) * 128;
    WORKBOOK_CHECK(cudaMalloc(&p.memory, (size_t)p.pitch * (height + 4)));
    pad<<<dim3(p.pitch / 128, height + 4), 128>>>(in, p, width * step, height);
    return p;
}

__device__ int covered(int at, int size) { return min(at + 2, size - 1) - max(at - 2, 0) + 1; }

__global__ void box_padded(Padded in, uint8_t* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const uint8_t* corner = in.memory + (size_t)y * in.pitch + x;
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 5; i++, corner += in.pitch)
        sum += corner[0] + corner[1] + corner[2] + corner[3] + corner[4];
    int count = covered(x, width) * covered(y, height);
    out[y * width + x] = (sum + count / 2) / count;
}

// The sum of the weights 1 2 3 2 1 that lie in the image.
__device__ int triangle_weight(int at, int size) {
    const int lost[3] = {0, 1, 3};
    return 9 - lost[max(2 - at, 0)] - lost[max(at + 3 - size, 0)];
}

__global__ void triangle_padded(Padded in, uint8_t* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const uint8_t* corner = in.memory + (size_t)y * in.pitch + x;
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 5; i++, corner += in.pitch)
        sum += (i < 3 ? i + 1 : 5 - i) *
               (corner[0] + 2 * corner[1] + 3 * corner[2] + 2 * corner[3] + corner[4]);
    int weight = triangle_weight(x, width) * triangle_weight(y, height);
    out[y * width + x] = (sum + weight / 2) / weight;
}

__constant__ int coefficient[25];

__global__ void filter_padded(Padded in, uint8_t* out, int divisor, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 3 * width || y >= height) return;
    const uint8_t* corner = in.memory + (size_t)y * in.pitch + x;
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = 0; j < 5; j++) sum += coefficient[5 * i + j] * corner[i * in.pitch + 3 * j];
    bool border = y < 2 || y >= height - 2 || x < 6 || x >= 3 * width - 6;
    int level = min(max(sum / divisor, 0), 255);
    out[(size_t)y * 3 * width + x] = border ? corner[2 * in.pitch + 6] : level;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    Padded p = make_padded(gray, 1, width, height);
    box_padded<<<dim3(ceil_div(width, 128), ceil_div(height, 2)), dim3(128, 2)>>>(p, out, width, height);
    WORKBOOK_CHECK(cudaFree(p.memory));
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    Padded p = make_padded(gray, 1, width, height);
    triangle_padded<<<dim3(ceil_div(width, 128), ceil_div(height, 2)), dim3(128, 2)>>>(p, out, width,
                                                                                 height);
    WORKBOOK_CHECK(cudaFree(p.memory));
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(coefficient, filter25, sizeof coefficient));
    Padded p = make_padded(rgb, 3, width, height);
    filter_padded<<<dim3(ceil_div(3 * width, 128), ceil_div(height, 2)), dim3(128, 2)>>>(
        p, out, divisor, width, height);
    WORKBOOK_CHECK(cudaFree(p.memory));
}
