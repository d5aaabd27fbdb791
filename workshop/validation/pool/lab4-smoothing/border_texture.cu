// family: texture
// style: a pitched copy of the image behind a 2-D texture with border addressing and normalised reads, four results per thread; colours lie side by side as bytes
// expected bottleneck: texture fetches, ten per result, and the copy before
#include "workbook.cuh"

constexpr int down = 4;  // results per thread, one below the other

__constant__ float weights[25];

// Adds 8 x 5 texels to the sums of four results.
__device__ void gather(cudaTextureObject_t image, int x, int y, int step, float (&sums)[down]) {
#pragma unroll
    for (int r = 0; r < down + 4; r++)
#pragma unroll
        for (int k = 0; k < 5; k++) {
            const float at = x + step * (k - 2) + 0.5f;
            const float texel = rintf(255.0f * tex2D<float>(image, at, y + r - 2 + 0.5f));
#pragma unroll
            for (int i = 0; i < down; i++)
                if (r - i >= 0 && r - i < 5) sums[i] += weights[5 * (r - i) + k] * texel;
        }
}

__global__ void tex_mean(cudaTextureObject_t image, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y0 = down * (blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y0 >= height) return;
    float sums[down] = {};
    gather(image, x, y0, 1, sums);
#pragma unroll
    for (int i = 0; i < down; i++) {
        const int y = y0 + i;
        if (y >= height) break;
        float total = 0.0f;
        for (int k = 0; k < 25; k++) {
            const int nx = x + k % 5 - 2, ny = y + k / 5 - 2;
            if ((unsigned)nx < (unsigned)width && (unsigned)ny < (unsigned)height)
                total += weights[k];
        }
        out[y * width + x] = (uint8_t)((sums[i] + (int)total / 2) / total);
    }
}

__global__ void tex_filter(cudaTextureObject_t image, uint8_t* out, int divisor, int width,
                           int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y0 = down * (blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= 3 * width || y0 >= height) return;
    float sums[down] = {};
    gather(image, x, y0, 3, sums);
#pragma unroll
    for (int i = 0; i < down; i++) {
        const int y = y0 + i;
        if (y >= height) break;
        int level = min(max((int)sums[i] / divisor, 0), 255);
        if (x < 6 || y < 2 || x >= 3 * width - 6 || y >= height - 2)
            level = (int)rintf(255.0f * tex2D<float>(image, x + 0.5f, y + 0.5f));
        out[3 * y * width + x] = level;
    }
}

struct PitchedTexture {
    uint8_t* memory;
    cudaTextureObject_t object;
    PitchedTexture(const uint8_t* image, int width, int height) {
        size_t pitch;
        WORKBOOK_CHECK(cudaMallocPitch((void**)&memory, &pitch, width, height));
        WORKBOOK_CHECK(cudaMemcpy2D(memory, pitch, image, width, width, height,
                                    cudaMemcpyDeviceToDevice));
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
    for (int k = 0; k < 25; k++) host[k] = triangle ? (3 - abs(k / 5 - 2)) * (3 - abs(k % 5 - 2))
        : 1;
    WORKBOOK_CHECK(cudaMemcpyToSymbol(weights, host, sizeof(host)));
    PitchedTexture image(gray, width, height);
    const dim3 grid(ceil_div(width, 16), ceil_div(height, 16 * down));
    tex_mean<<<grid, dim3(16, 16)>>>(image.object, out, width, height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean(gray, out, width, height, false);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean(gray, out, width, height, true);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    float host[25];
    for (int k = 0; k < 25; k++) host[k] = filter25[k];
    WORKBOOK_CHECK(cudaMemcpyToSymbol(weights, host, sizeof(host)));
    PitchedTexture image(rgb, 3 * width, height);
    const dim3 grid(ceil_div(3 * width, 16), ceil_div(height, 16 * down));
    tex_filter<<<grid, dim3(16, 16)>>>(image.object, out, divisor, width, height);
}
