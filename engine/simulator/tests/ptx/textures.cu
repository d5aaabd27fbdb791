// Sample for `ptx_samples.rs`: textures, surfaces, printf, assert.
// textures.ptx: NVRTC 12.9.86, -arch=compute_90 -lineinfo

extern "C" __device__ int printf(const char*, ...);

extern "C" __global__ void textures(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float* out, int n) {
    int i = threadIdx.x;
    float4 pixel = tex2D<float4>(texture, i + 0.5f, 2.0f);
    out[i] = pixel.x + pixel.w;
    surf2Dwrite<int>(n, surface, i, 3);
    if (i > 3)
        printf("%d %f\n", i, (double)pixel.y);
    assert(i < 400);
}
