// family: texture
// style: code of 2009: pixels of the gray image come from a one-dimensional texture of bytes, colours from planes of plain loads
// expected bottleneck: texture fetches of one byte per lane, then shared atomics
#include "workbook.cuh"

__global__ void tex_hist(cudaTextureObject_t image, uint32_t* bins, int n) {
    __shared__ uint32_t s_hist[256];
    s_hist[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&s_hist[tex1Dfetch<unsigned char>(image, i)], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s_hist[threadIdx.x]);
}

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    cudaResourceDesc res;
    memset(&res, 0, sizeof(res));
    res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = const_cast<uint8_t*>(gray);
    res.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    res.res.linear.sizeInBytes = n;
    cudaTextureDesc desc;
    memset(&desc, 0, sizeof(desc));
    desc.readMode = cudaReadModeElementType;
    cudaTextureObject_t image = 0;
    WORKBOOK_CHECK(cudaCreateTextureObject(&image, &res, &desc, NULL));
    tex_hist<<<640, 256>>>(image, bins, n);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    WORKBOOK_CHECK(cudaDestroyTextureObject(image));
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    to_gray<<<ceil_div(n, 512), 512>>>(rgb, gray, n);
    histogram(gray, bins, width, height);
}
