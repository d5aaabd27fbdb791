// why: a texture object over pitched memory clamps the coordinates of the neighbours itself.
// tasks: sobel
#include "workbook.cuh"

__global__ void sobel_kernel(cudaTextureObject_t texture, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int gx = 0, gy = 0;
    for (int d = -1; d <= 1; ++d) {
        const int weight = 2 - abs(d);
        gx += weight * tex2D<unsigned char>(texture, x + 1, y + d);
        gx -= weight * tex2D<unsigned char>(texture, x - 1, y + d);
        gy += weight * tex2D<unsigned char>(texture, x + d, y + 1);
        gy -= weight * tex2D<unsigned char>(texture, x + d, y - 1);
    }
    out[y * width + x] = min(abs(gx) + abs(gy), 255);
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
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
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    WORKBOOK_CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    const dim3 block(32, 4), grid(ceil_div(width, 32), ceil_div(height, 4));
    sobel_kernel<<<grid, block>>>(texture, out, width, height);
    WORKBOOK_CHECK(cudaDestroyTextureObject(texture));
    WORKBOOK_CHECK(cudaFree(pitched));
}
