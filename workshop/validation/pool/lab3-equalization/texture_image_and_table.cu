// family: texture
// style: the image and the table are linear textures; the table's texture returns normalised floats, which are scaled back
// expected bottleneck: texture units: two dependent fetches per pixel
#include "workbook.cuh"

static cudaTextureObject_t bytes_texture(const void* p, size_t bytes, cudaTextureReadMode mode) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = const_cast<void*>(p);
    r.res.linear.desc = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    r.res.linear.sizeInBytes = bytes;
    cudaTextureDesc t = {};
    t.readMode = mode;
    cudaTextureObject_t object = 0;
    WORKBOOK_CHECK(cudaCreateTextureObject(&object, &r, &t, nullptr));
    return object;
}

__global__ void tex_count(cudaTextureObject_t image, uint32_t* bins, int n) {
    __shared__ uint32_t h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&h[tex1Dfetch<unsigned char>(image, i)], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}

__global__ void tex_map(cudaTextureObject_t image, cudaTextureObject_t table, uint8_t* out, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = (uint8_t)(tex1Dfetch<float>(table, tex1Dfetch<unsigned char>(image, i)) * 255.0f +
                           0.5f);
}

template <class Rule>
void textured(const uint8_t* gray, uint8_t* out, int n, Rule rule) {
    uint32_t* bins;
    uint8_t* table;
    WORKBOOK_CHECK(cudaMalloc(&bins, 1024));
    WORKBOOK_CHECK(cudaMalloc(&table, 256));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 1024));
    const cudaTextureObject_t image = bytes_texture(gray, n, cudaReadModeElementType);
    tex_count<<<528, 256>>>(image, bins, n);
    uint32_t counts[256];
    uint8_t levels[256];
    WORKBOOK_CHECK(cudaMemcpy(counts, bins, 1024, cudaMemcpyDeviceToHost));
    rule(counts, levels, n);
    WORKBOOK_CHECK(cudaMemcpy(table, levels, 256, cudaMemcpyHostToDevice));
    const cudaTextureObject_t lut = bytes_texture(table, 256, cudaReadModeNormalizedFloat);
    tex_map<<<ceil_div(n, 256), 256>>>(image, lut, out, n);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    WORKBOOK_CHECK(cudaDestroyTextureObject(lut));
    WORKBOOK_CHECK(cudaDestroyTextureObject(image));
    WORKBOOK_CHECK(cudaFree(table));
    WORKBOOK_CHECK(cudaFree(bins));
}

static void stretch_rule(const uint32_t* counts, uint8_t* table, int n) {
    int low = 0, high = 255;
    while (counts[low] < (uint32_t)((n + 1023) / 1024)) low++;
    while (counts[high] < (uint32_t)((n + 1023) / 1024)) high--;
    for (int v = 0; v < 256; v++) table[v] = low == high ? v : v < low ? 0 : v > high ? 255
        : (int)((v - low) * 255.0 / (high - low) + 0.5);
}

static void equal_rule(const uint32_t* counts, uint8_t* table, int n) {
    double sum = 0, least = 0;
    for (int v = 0; v < 256; v++) {
        sum += counts[v];
        if (least == 0) least = sum;
        table[v] = least == n || sum == 0 ? v : (int)((sum - least) * 255.0 / (n - least) + 0.5);
    }
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    textured(gray, out, width * height, stretch_rule);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    textured(gray, out, width * height, equal_rule);
}
