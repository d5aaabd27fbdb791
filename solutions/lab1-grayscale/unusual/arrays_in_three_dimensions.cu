// why: arrays of three dimensions and of layers, as textures and as a surface.
// tasks: grayscale_darken
// engine: simulator
#include "workbook.cuh"

void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    printf("%s\n", cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

__global__ void fill_kernel(const uint8_t* planar_rgb, cudaSurfaceObject_t to, int width,
                            int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int plane = blockIdx.z;
    if (x >= width || y >= height) return;
    surf3Dwrite(planar_rgb[(plane * height + y) * width + x], to, x, y, plane);
}

// Red from the array that was copied, green from its layers, blue from the one that was filled.
__global__ void grayscale_darken_kernel(cudaTextureObject_t planes, cudaTextureObject_t layers,
                                        cudaSurfaceObject_t filled, uint8_t* gray, int width,
                                        int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int red = tex3D<unsigned char>(planes, x + 0.5f, y + 0.5f, 0.5f);
    const int green = tex2DLayered<unsigned char>(layers, x + 0.5f, y + 0.5f, 1);
    unsigned char blue;
    surf3Dread(&blue, filled, x, y, 2);
    gray[y * width + x] = (6 * (30 * red + 59 * green + 11 * blue) + 500) / 1000;
}

cudaArray_t array_of(cudaExtent extent, unsigned flags) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array = nullptr;
    check(cudaMalloc3DArray(&array, &format, extent, flags));
    return array;
}

cudaTextureObject_t texture_of(cudaArray_t array, const uint8_t* planes, cudaExtent extent) {
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<uint8_t*>(planes), extent.width, extent.width,
                                      extent.height);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToDevice;
    check(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    check(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const cudaExtent extent = make_cudaExtent(width, height, 3);
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    if (width > 16384 || height > 16384) {
        // No array of three dimensions is so long.
        uint8_t* part = gray;
        for (int done = 0; done < width * height; done += 16384) {
            const int count = min(16384, width * height - done);
            uint8_t* planes;
            check(cudaMalloc(&planes, 3 * count));
            check(cudaMemcpy2D(planes, count, planar_rgb + done, width * height, count, 3,
                               cudaMemcpyDeviceToDevice));
            grayscale_darken(planes, part + done, count, 1);
            check(cudaFree(planes));
        }
        return;
    }
    cudaArray_t planes = array_of(extent, cudaArrayDefault);
    cudaArray_t layers = array_of(extent, cudaArrayLayered);
    cudaArray_t filled = array_of(extent, cudaArraySurfaceLoadStore);
    const cudaTextureObject_t from = texture_of(planes, planar_rgb, extent);
    const cudaTextureObject_t layered = texture_of(layers, planar_rgb, extent);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = filled;
    cudaSurfaceObject_t surface = 0;
    check(cudaCreateSurfaceObject(&surface, &resource));
    fill_kernel<<<dim3(grid.x, grid.y, 3), block>>>(planar_rgb, surface, width, height);
    grayscale_darken_kernel<<<grid, block>>>(from, layered, surface, gray, width, height);
    check(cudaDeviceSynchronize());
    check(cudaDestroyTextureObject(from));
    check(cudaDestroyTextureObject(layered));
    check(cudaDestroySurfaceObject(surface));
    for (cudaArray_t array : {planes, layers, filled}) check(cudaFreeArray(array));
}
