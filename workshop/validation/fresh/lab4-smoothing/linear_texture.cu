// family: texture unit
// style: a games programmer: bytes come from a texture over linear memory, the border is handled by index arithmetic
// expected bottleneck: throughput of texture fetches, 25 per byte of the result
#include "workbook.cuh"

__constant__ int coefficients[25];

static cudaTextureObject_t bind(const uint8_t* memory, size_t bytes) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (void*)memory;
    resource.res.linear.desc = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    WORKBOOK_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

__global__ void smooth_texture(cudaTextureObject_t image, uint8_t* out, int slope, int width,
                               int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int x0 = max(x - 2, 0), x1 = min(x + 2, width - 1);
    int y0 = max(y - 2, 0), y1 = min(y + 2, height - 1);
    // slope 0: all weights are 1; slope 1: they fall with the distance.
    int base = slope ? 3 : 1;
    int sum = 0, total = 0;
    for (int v = y0; v <= y1; v++) {
        int wy = base - slope * abs(v - y);
        for (int u = x0; u <= x1; u++) {
            int w = wy * (base - slope * abs(u - x));
            sum += w * tex1Dfetch<unsigned char>(image, v * width + u);
            total += w;
        }
    }
    out[y * width + x] = (sum + total / 2) / total;
}

// The image is bound row group by row group, because a linear texture has at most 2^27 texels.
__global__ void filter_texture(cudaTextureObject_t image, uint8_t* out, int divisor, int bytes,
                               int height, int first_row, int bound_from, int last_row) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = first_row + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= bytes || y >= last_row) return;
    int at = (y - bound_from) * bytes + x;
    int level;
    if (x < 6 || x >= bytes - 6 || y < 2 || y >= height - 2) {
        level = tex1Dfetch<unsigned char>(image, at);
    } else {
        int sum = 0;
#pragma unroll
        for (int dy = 0; dy < 5; dy++)
#pragma unroll
            for (int dx = 0; dx < 5; dx++)
                sum += coefficients[5 * dy + dx] *
                       tex1Dfetch<unsigned char>(image, at + (dy - 2) * bytes + 3 * (dx - 2));
        level = min(max(sum / divisor, 0), 255);
    }
    out[(size_t)y * bytes + x] = level;
}

static void smooth(const uint8_t* gray, uint8_t* out, int slope, int width, int height) {
    cudaTextureObject_t image = bind(gray, (size_t)width * height);
    dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_texture<<<grid, block>>>(image, out, slope, width, height);
    WORKBOOK_CHECK(cudaDestroyTextureObject(image));
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth(gray, out, 0, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth(gray, out, 1, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(coefficients, filter25, sizeof coefficients));
    int bytes = 3 * width;
    // Always two halves, each bound with two more rows on either side. A texture begins at a
    // multiple of 256 bytes, so that the second one begins some bytes before its first row.
    int half = ceil_div(height, 2);
    dim3 block(32, 8);
    for (int part = 0; part < 2; part++) {
        int first = part * half, last = part == 0 ? half : height;
        if (first >= last) continue;
        int from = part == 0 ? 0 : max(0, (first - 2) / 256 * 256);  // 256 rows: aligned
        int to = min(last + 2, height);
        cudaTextureObject_t image =
            bind(rgb + (size_t)from * bytes, (size_t)(to - from) * bytes);
        dim3 grid(ceil_div(bytes, 32), ceil_div(last - first, 8));
        filter_texture<<<grid, block>>>(image, out, divisor, bytes, height, first, from, last);
        WORKBOOK_CHECK(cudaDestroyTextureObject(image));
    }
}
