// about: A texture over rows of bytes, read pixel by pixel; outside is the pixel at the border.
// input in: u8[96] = i * 5 % 251
// output out: u8[140] = in[clamp(i / 14 - 2, 0, 5) * 16 + clamp(i % 14 - 1, 0, 11)]
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

// Twelve columns of sixteen, one pixel more on each side, and two rows.
__global__ void shifted(cudaTextureObject_t image, uint8_t* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    out[y * 14 + x] = tex2D<unsigned char>(image, x - 1 + 0.5f, y - 2 + 0.5f);
}

void run(const uint8_t* in, uint8_t* out) {
    uint8_t* rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, 12, 6);
    cudaMemcpy2D(rows, pitch, in, 16, 12, 6, cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.pitch2D.width = 12;
    resource.res.pitch2D.height = 6;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &resource, &settings, nullptr);
    shifted<<<1, dim3(14, 10)>>>(image, out);
    cudaDestroyTextureObject(image);
    cudaFree(rows);
}
