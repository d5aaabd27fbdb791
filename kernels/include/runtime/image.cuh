// Arrays, textures and surfaces. The structures are NVRTC's own; the checker sees their fields as words, since
// their layout differs between CUDA versions.
#pragma once

namespace workbook {

// Bits of the four channels, a byte each.
__forceinline__ word channel_bits(const cudaChannelFormatDesc& d) {
    return static_cast<unsigned>(d.x) | static_cast<unsigned>(d.y) << 8 |
           static_cast<unsigned>(d.z) << 16 | static_cast<unsigned>(d.w) << 24;
}

template <class T>
struct channels_of;  // pixels of other types have no format
#define WORKBOOK_CHANNELS(type, count, kind)                                              \
    template <>                                                                           \
    struct channels_of<type> {                                                            \
        enum { channels = count };                                                        \
        static constexpr cudaChannelFormatKind numbers = cudaChannelFormatKind##kind;     \
    };
#define WORKBOOK_VECTORS(scalar, vector, kind) \
    WORKBOOK_CHANNELS(scalar, 1, kind)         \
    WORKBOOK_CHANNELS(vector##1, 1, kind)      \
    WORKBOOK_CHANNELS(vector##2, 2, kind)      \
    WORKBOOK_CHANNELS(vector##4, 4, kind)
WORKBOOK_CHANNELS(char, 1, Signed)
WORKBOOK_VECTORS(signed char, char, Signed)
WORKBOOK_VECTORS(unsigned char, uchar, Unsigned)
WORKBOOK_VECTORS(short, short, Signed)
WORKBOOK_VECTORS(unsigned short, ushort, Unsigned)
WORKBOOK_VECTORS(int, int, Signed)
WORKBOOK_VECTORS(unsigned int, uint, Unsigned)
WORKBOOK_VECTORS(float, float, Float)
#undef WORKBOOK_VECTORS
#undef WORKBOOK_CHANNELS

}  // namespace workbook

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    constexpr int count = workbook::channels_of<T>::channels, bits = 8 * sizeof(T) / count;
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 2 ? bits : 0,
            workbook::channels_of<T>::numbers};
}

inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                                   size_t width, size_t height = 0, unsigned int flags = 0) {
    const workbook::word bits = workbook::channel_bits(*desc);
    return workbook::call(workbook::MallocArray, array, bits, desc->f, width, height, flags);
}
inline cudaError_t cudaFreeArray(cudaArray_t array) {
    return workbook::call(workbook::FreeArray, array);
}
inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                            size_t pitch, size_t width, size_t rows,
                                            cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    return workbook::call(workbook::Memcpy2DToArray, to, x, y, from, pitch, width, rows, kind,
                          stream, 1);
}
inline cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                       size_t pitch, size_t width, size_t rows,
                                       cudaMemcpyKind kind) {
    return workbook::call(workbook::Memcpy2DToArray, to, x, y, from, pitch, width, rows, kind, 0, 0);
}
inline cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from,
                                              size_t x, size_t y, size_t width, size_t rows,
                                              cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    return workbook::call(workbook::Memcpy2DFromArray, from, x, y, to, pitch, width, rows, kind,
                          stream, 1);
}
inline cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                         size_t y, size_t width, size_t rows, cudaMemcpyKind kind) {
    return workbook::call(workbook::Memcpy2DFromArray, from, x, y, to, pitch, width, rows, kind, 0, 0);
}

inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object,
                                           const cudaResourceDesc* resource,
                                           const cudaTextureDesc* texture,
                                           const cudaResourceViewDesc* view) {
    workbook::word source = 0, width = 0, height = 0, pitch = 0;
    cudaChannelFormatDesc desc = {};
    if (resource->resType == cudaResourceTypeArray) {
        source = workbook::to_word(resource->res.array.array);
    } else if (resource->resType == cudaResourceTypeLinear) {
        source = workbook::to_word(resource->res.linear.devPtr);
        width = resource->res.linear.sizeInBytes;
        desc = resource->res.linear.desc;
    } else if (resource->resType == cudaResourceTypePitch2D) {
        source = workbook::to_word(resource->res.pitch2D.devPtr);
        width = resource->res.pitch2D.width;
        height = resource->res.pitch2D.height;
        pitch = resource->res.pitch2D.pitchInBytes;
        desc = resource->res.pitch2D.desc;
    }
    const workbook::word bits = workbook::channel_bits(desc);
    workbook::word border[4];
    for (int i = 0; i < 4; ++i) border[i] = __float_as_uint(texture->borderColor[i]);
    // What is not simulated: a view of part of the resource, sRGB, several levels.
    const bool special = view != nullptr || texture->sRGB != 0 || texture->maxMipmapLevelClamp > 0;
    return workbook::call(workbook::CreateTexture, object, resource->resType, source, bits, desc.f,
                          width, height, pitch, texture->addressMode[0], texture->addressMode[1],
                          texture->filterMode, texture->readMode, texture->normalizedCoords != 0,
                          border, special);
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return workbook::call(workbook::DestroyTexture, object);
}
inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object,
                                           const cudaResourceDesc* resource) {
    const bool array = resource->resType == cudaResourceTypeArray;
    const workbook::word source = array ? workbook::to_word(resource->res.array.array) : 0;
    return workbook::call(workbook::CreateSurface, object, array, source);
}
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return workbook::call(workbook::DestroySurface, object);
}
