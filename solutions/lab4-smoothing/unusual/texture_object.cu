// why: pixels come from a texture object over pitched memory, with zeros outside.
// tasks: smooth_box
#include "workbook.cuh"

__global__ void smooth_kernel(cudaTextureObject_t texture, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) sum += tex2D<unsigned char>(texture, x + dx, y + dy);
    const int columns = min(x + 2, width - 1) - max(x - 2, 0) + 1;
    const int rows = min(y + 2, height - 1) - max(y - 2, 0) + 1;
    out[y * width + x] = (sum + rows * columns / 2) / (rows * columns);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    uint8_t* pitched;
    size_t pitch;
    WORKBOOK_CHECK(cudaMallocPitch(&pitched, &pitch, width, height));
    WORKBOOK_CHECK(
        cudaMemcpy2D(pitched, pitch, gray, width, width, height, cudaMemcpyDeviceToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pitched;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    WORKBOOK_CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    const dim3 block(32, 4), grid(ceil_div(width, 32), ceil_div(height, 4));
    smooth_kernel<<<grid, block>>>(texture, out, width, height);
    WORKBOOK_CHECK(cudaDestroyTextureObject(texture));
    WORKBOOK_CHECK(cudaFree(pitched));
}
