// family: texture unit
// style: a games programmer: the image and the table are texture objects over linear memory
// expected bottleneck: throughput of texture fetches of one byte
#include "workbook.cuh"

static cudaTextureObject_t bind(const void* memory, size_t bytes) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void*>(memory);
    resource.res.linear.desc = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    WORKBOOK_CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

__global__ void tex_histogram(cudaTextureObject_t image, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256];
    for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[tex1Dfetch<unsigned char>(image, i)], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x) atomicAdd(&bins[v], counts[v]);
}

__global__ void tex_map(cudaTextureObject_t image, cudaTextureObject_t table, uint8_t* out,
                        int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        out[i] = tex1Dfetch<unsigned char>(table, tex1Dfetch<unsigned char>(image, i));
}

typedef void (*TableMaker)(const uint32_t* counts, int pixels, uint8_t* table);

static void stretch_table(const uint32_t* counts, int pixels, uint8_t* table) {
    uint32_t enough = (pixels + 1023) / 1024;
    int low = 0, high = 255;
    while (counts[low] < enough) low++;
    while (counts[high] < enough) high--;
    for (int v = 0; v < 256; v++) {
        float share = low == high ? v / 255.0f : (float)(v - low) / (high - low);
        table[v] = (uint8_t)(fminf(fmaxf(share, 0.0f), 1.0f) * 255.0f + 0.5f);
    }
}

static void equalize_table(const uint32_t* counts, int pixels, uint8_t* table) {
    long long cdf = 0, smallest = 0;
    for (int v = 0; v < 256; v++) {
        cdf += counts[v];
        if (!smallest) smallest = cdf;
        long long rest = pixels - smallest;
        table[v] = rest == 0 ? v : (uint8_t)(((cdf - smallest) * 510 + rest) / (2 * rest));
    }
}

static void remap(const uint8_t* gray, uint8_t* out, int pixels, TableMaker make) {
    uint32_t* bins;
    uint8_t* device_table;
    WORKBOOK_CHECK(cudaMalloc(&bins, 1024));
    WORKBOOK_CHECK(cudaMalloc(&device_table, 256));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 1024));
    cudaTextureObject_t image = bind(gray, pixels);
    tex_histogram<<<660, 384>>>(image, bins, pixels);
    uint32_t counts[256];
    WORKBOOK_CHECK(cudaMemcpy(counts, bins, 1024, cudaMemcpyDeviceToHost));
    uint8_t table[256];
    make(counts, pixels, table);
    WORKBOOK_CHECK(cudaMemcpy(device_table, table, 256, cudaMemcpyHostToDevice));
    cudaTextureObject_t lookup = bind(device_table, 256);
    tex_map<<<ceil_div(pixels, 384), 384>>>(image, lookup, out, pixels);
    WORKBOOK_CHECK(cudaDestroyTextureObject(image));
    WORKBOOK_CHECK(cudaDestroyTextureObject(lookup));
    WORKBOOK_CHECK(cudaFree(bins));
    WORKBOOK_CHECK(cudaFree(device_table));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    remap(gray, out, width * height, stretch_table);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    remap(gray, out, width * height, equalize_table);
}
