// family: texture
// style: a pitched copy of the image behind a 2-D texture with border addressing and normalised reads; colours lie side by side as bytes
// expected bottleneck: texture fetches, 25 per result, and the copy before
#include "workbook.cuh"

__constant__ float weights[25];

__global__ void tex_mean(cudaTextureObject_t image, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f, total = 0.0f;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            const float w = weights[5 * dy + dx + 12];
            sum += w * rintf(255.0f * tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f));
            if ((unsigned)(x + dx) < (unsigned)width && (unsigned)(y + dy) < (unsigned)height) total += w;
        }
    out[y * width + x] = (uint8_t)((sum + (int)total / 2) / total);
}

__global__ void tex_filter(cudaTextureObject_t image, uint8_t* out, int divisor, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 3 * width || y >= height) return;
    float sum = 0.0f;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += weights[5 * dy + dx + 12] * rintf(255.0f * tex2D<float>(image, x + 3 * dx + 0.5f, y + dy + 0.5f));
    int level = min(max((int)sum / divisor, 0), 255);
    if (x < 6 || y < 2 || x >= 3 * width - 6 || y >= height - 2) level = (int)rintf(255.0f * tex2D<float>(image, x + 0.5f, y + 0.5f));
    out[3 * y * width + x] = level;
}

struct PitchedTexture {
    uint8_t* memory;
    cudaTextureObject_t object;
    PitchedTexture(const uint8_t* image, int width, int height) {
        size_t pitch;
        WORKBOOK_CHECK(cudaMallocPitch((void**)&memory, &pitch, width, height));
        WORKBOOK_CHECK(cudaMemcpy2D(memory, pitch, image, width, width, height, cudaMemcpyDeviceToDevice));
        cudaResourceDesc r = {};
        r.resType = cudaResourceTypePitch2D;
        r.res.pitch2D.devPtr = memory;
        r.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
        r.res.pitch2D.width = width;
        r.res.pitch2D.height = height;
        r.res.pitch2D.pitchInBytes = pitch;
        cudaTextureDesc t = {};
        t.addressMode[0] = cudaAddressModeBorder;
        t.addressMode[1] = cudaAddressModeBorder;
        t.filterMode = cudaFilterModePoint;
        t.readMode = cudaReadModeNormalizedFloat;
        WORKBOOK_CHECK(cudaCreateTextureObject(&object, &r, &t, nullptr));
    }
    ~PitchedTexture() {
        WORKBOOK_CHECK(cudaDeviceSynchronize());
        WORKBOOK_CHECK(cudaDestroyTextureObject(object));
        WORKBOOK_CHECK(cudaFree(memory));
    }
};

static void mean(const uint8_t* gray, uint8_t* out, int width, int height, bool triangle) {
    float host[25];
    for (int k = 0; k < 25; k++) host[k] = triangle ? (3 - abs(k / 5 - 2)) * (3 - abs(k % 5 - 2)) : 1;
    WORKBOOK_CHECK(cudaMemcpyToSymbol(weights, host, sizeof(host)));
    PitchedTexture image(gray, width, height);
    tex_mean<<<dim3(ceil_div(width, 16), ceil_div(height, 16)), dim3(16, 16)>>>(image.object, out, width, height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) { mean(gray, out, width, height, false); }

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) { mean(gray, out, width, height, true); }

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width, int height) {
    float host[25];
    for (int k = 0; k < 25; k++) host[k] = filter25[k];
    WORKBOOK_CHECK(cudaMemcpyToSymbol(weights, host, sizeof(host)));
    PitchedTexture image(rgb, 3 * width, height);
    tex_filter<<<dim3(ceil_div(3 * width, 16), ceil_div(height, 16)), dim3(16, 16)>>>(image.object, out, divisor, width, height);
}
