// family: texture
// Style: the image is copied to a CUDA array and read as a two-dimensional texture, border zero.
// Limit: 25 texture fetches a byte, and the copy to the array before the kernel.
#include "workbook.cuh"

__constant__ int filter[25];

__global__ void smooth_kernel(cudaTextureObject_t image, uint8_t* out, bool triangle, int width,
                              int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, total = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            const int weight = triangle ? (3 - abs(dx)) * (3 - abs(dy)) : 1;
            sum += weight * tex2D<unsigned char>(image, x + dx + 0.5f, y + dy + 0.5f);
            const bool exists = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
            total += exists ? weight : 0;
        }
    }
    out[y * width + x] = (sum + total / 2) / total;
}

// x counts bytes: three to a pixel.
__global__ void filter_kernel(cudaTextureObject_t image, uint8_t* out, int divisor, int width,
                              int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 3 * width || y >= height) return;
    int result = tex2D<unsigned char>(image, x + 0.5f, y + 0.5f);
    if (x >= 6 && y >= 2 && x < 3 * width - 6 && y < height - 2) {
        int sum = 0;
        for (int k = 0; k < 25; ++k)
            sum +=
                filter[k] * tex2D<unsigned char>(image, x + 3 * (k % 5) - 5.5f, y + k / 5 - 1.5f);
        result = min(max(sum / divisor, 0), 255);
    }
    out[3 * y * width + x] = result;
}

struct Texture {
    cudaArray_t array;
    cudaTextureObject_t object;
};

Texture texture_of(const uint8_t* bytes, int width, int height) {
    Texture texture;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaMallocArray(&texture.array, &format, width, height);
    cudaMemcpy2DToArray(texture.array, 0, 0, bytes, width, width, height, cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = texture.array;
    cudaTextureDesc how;
    memset(&how, 0, sizeof(how));
    how.addressMode[0] = cudaAddressModeBorder;
    how.addressMode[1] = cudaAddressModeBorder;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&texture.object, &resource, &how, nullptr);
    return texture;
}

void destroy(Texture texture) {
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture.object);
    cudaFreeArray(texture.array);
}

void smooth(const uint8_t* gray, uint8_t* out, bool triangle, int width, int height) {
    const Texture texture = texture_of(gray, width, height);
    const dim3 block(16, 8), grid(ceil_div(width, 16), ceil_div(height, 8));
    smooth_kernel<<<grid, block>>>(texture.object, out, triangle, width, height);
    destroy(texture);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth(gray, out, false, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth(gray, out, true, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    cudaMemcpyToSymbol(filter, filter25, sizeof(filter));
    const Texture texture = texture_of(rgb, 3 * width, height);
    const dim3 block(16, 8), grid(ceil_div(3 * width, 16), ceil_div(height, 8));
    filter_kernel<<<grid, block>>>(texture.object, out, divisor, width, height);
    destroy(texture);
}
