// about: Surfaces of every width of pixel, and of one dimension.
// output bytes: u8[32] = 2 * i
// output shorts: u16[16] = 1000 * i
// output pairs: f32[16] = i % 2 == 0 ? i / 2 : 0 - i / 2
// output fours: f32[32] = i / 4 + (i % 4) * 0.25
// output line: i32[16] = 7 * i
// finding: none

#include "workbook.cuh"

// An array and a surface over it.
struct Image {
    cudaArray_t array;
    cudaSurfaceObject_t surface;

    Image(int width, int height, cudaChannelFormatDesc desc) {
        cudaMallocArray(&array, &desc, width, height, cudaArraySurfaceLoadStore);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaCreateSurfaceObject(&surface, &resource);
    }
    ~Image() {
        cudaDestroySurfaceObject(surface);
        cudaFreeArray(array);
    }
};

template <class T>
__global__ void write(cudaSurfaceObject_t image, const T* from) {
    surf2Dwrite(from[threadIdx.y * 4 + threadIdx.x], image, threadIdx.x * sizeof(T), threadIdx.y);
}
template <class T>
__global__ void read(cudaSurfaceObject_t image, T* to) {
    to[threadIdx.y * 4 + threadIdx.x] = surf2Dread<T>(image, threadIdx.x * sizeof(T), threadIdx.y);
}
template <class T>
void through(T* data, int rows) {
    Image image(4, rows, cudaCreateChannelDesc<T>());
    write<T><<<1, dim3(4, rows)>>>(image.surface, data);
    cudaMemset(data, 0xff, 4 * rows * sizeof(T));
    read<T><<<1, dim3(4, rows)>>>(image.surface, data);
}

__global__ void numbers(uint8_t* bytes, uint16_t* shorts, float2* pairs, float4* fours) {
    const int i = threadIdx.x;
    bytes[i] = 2 * i;
    if (i < 16) shorts[i] = 1000 * i;
    if (i < 8) pairs[i] = make_float2(i, -i);
    if (i < 8) fours[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
}
__global__ void line(cudaSurfaceObject_t image, int* out) {
    const int i = threadIdx.x;
    surf1Dwrite(7 * i, image, i * 4);
    out[i] = surf1Dread<int>(image, i * 4);
}

void run(uint8_t* bytes, uint16_t* shorts, float* pairs, float* fours, int* of_line) {
    numbers<<<1, 32>>>(bytes, shorts, (float2*)pairs, (float4*)fours);
    through<unsigned char>(bytes, 8);
    through<unsigned short>(shorts, 4);
    through<float2>((float2*)pairs, 2);
    through<float4>((float4*)fours, 2);
    Image image(16, 0, cudaCreateChannelDesc<int>());
    line<<<1, 16>>>(image.surface, of_line);
}
