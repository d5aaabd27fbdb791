// about: tex2Dgather: one channel of the four pixels around, against the clock from below on the left.
// input in: u8[64] = i
// output out: i32[36] = 4 * (i / 4 / 3 * 4 + i / 4 % 3 + (i % 4 == 0 ? 4 : i % 4 == 1 ? 5 : i % 4 == 2 ? 1 : 0)) + 2
// finding: none

#include "workbook.cuh"

__global__ void blue(cudaTextureObject_t image, int4* out) {
    const int x = threadIdx.x, y = threadIdx.y;
    const uchar4 four = tex2Dgather<uchar4>(image, x + 1.0f, y + 1.0f, 2);
    out[y * 3 + x] = make_int4(four.x, four.y, four.z, four.w);
}

void run(const uint8_t* in, int* out) {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    cudaMallocArray(&array, &desc, 4, 4, cudaArrayTextureGather);
    cudaMemcpy2DToArray(array, 0, 0, in, 16, 16, 4, cudaMemcpyDeviceToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t image;
    cudaCreateTextureObject(&image, &resource, &settings, nullptr);
    blue<<<1, dim3(3, 3)>>>(image, (int4*)out);
    cudaDestroyTextureObject(image);
    cudaFreeArray(array);
}
