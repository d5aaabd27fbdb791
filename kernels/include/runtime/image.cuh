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
    return workbook::call(workbook::MallocArray, array, bits, desc->f, width, height, 0, flags);
}
// Its extent is in pixels. Without a depth it is an array of one or two dimensions.
inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned int flags = 0) {
    const workbook::word bits = workbook::channel_bits(*desc);
    return workbook::call(workbook::MallocArray, array, bits, desc->f, extent.width, extent.height, extent.depth, flags);
}
inline cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                                    cudaArray_t array) {
    workbook::word about[6];
    const cudaError_t status = workbook::call(workbook::ArrayGetInfo, array, about);
    if (status != cudaSuccess) return status;
    const auto bits = [&](int channel) { return static_cast<int>(about[0] >> 8 * channel & 255); };
    if (desc != nullptr) *desc = {bits(0), bits(1), bits(2), bits(3), static_cast<cudaChannelFormatKind>(about[1])};
    if (extent != nullptr) *extent = {about[2], about[3], about[4]};
    if (flags != nullptr) *flags = about[5];
    return cudaSuccess;
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

namespace workbook {

// One side of a copy in three dimensions: rows of an array, or of memory.
struct Side3D {
    cudaArray_t array;
    char* memory;
    size_t pitch, x, y, width, rows, element;

    cudaError_t set(cudaArray_t of, const cudaPos& at, const cudaPitchedPtr& plain) {
        array = of;
        memory = static_cast<char*>(plain.ptr);
        pitch = plain.pitch, width = plain.xsize, rows = plain.ysize, element = 1;
        if (of != nullptr) {
            cudaChannelFormatDesc desc;
            cudaExtent extent;
            const cudaError_t status = cudaArrayGetInfo(&desc, &extent, nullptr, of);
            if (status != cudaSuccess) return status;
            width = extent.width, rows = extent.height > 0 ? extent.height : 1;
            element = (desc.x + desc.y + desc.z + desc.w) / 8;
        }
        x = at.x * element;
        y = at.z * rows + at.y;
        return cudaSuccess;
    }
    char* row(size_t slice) const { return memory + (y + slice * rows) * pitch + x; }
};

// Slice by slice; `later`: the host need not wait.
inline cudaError_t copy_3d(const cudaMemcpy3DParms* p, cudaStream_t stream, bool later) {
    Side3D from, to;
    cudaError_t status = from.set(p->srcArray, p->srcPos, p->srcPtr);
    if (status == cudaSuccess) status = to.set(p->dstArray, p->dstPos, p->dstPtr);
    if (from.array != nullptr && to.array != nullptr) return cudaErrorNotSupported;
    const size_t width = p->extent.width * (from.array != nullptr ? from.element : to.element);
    size_t rows = p->extent.height, slices = p->extent.depth;
    if (width == 0 || rows == 0) return status;
    if (rows == from.rows && rows == to.rows) rows *= slices, slices = 1;
    for (size_t z = 0; z < slices && status == cudaSuccess; ++z) {
        if (to.array != nullptr)
            status = call(Memcpy2DToArray, to.array, to.x, to.y + z * to.rows, from.row(z), from.pitch, width, rows,
                          p->kind, stream, later);
        else if (from.array != nullptr)
            status = call(Memcpy2DFromArray, from.array, from.x, from.y + z * from.rows, to.row(z), to.pitch, width,
                          rows, p->kind, stream, later);
        else
            status = call(Memcpy2D, to.row(z), to.pitch, from.row(z), from.pitch, width, rows, p->kind, stream, later);
    }
    return status;
}

}  // namespace workbook

inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream = nullptr) {
    const cudaError_t status = workbook::call(workbook::StreamSynchronize, stream);
    return status == cudaSuccess ? cudaMemset3D(to, value, extent) : status;
}
// Whole rows of an array, the older way.
inline cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
    workbook::Side3D side;
    const cudaError_t status = side.set(to, {0, 0, 0}, {});
    if (status != cudaSuccess) return status;
    const size_t row = side.width * side.element, width = bytes < row ? bytes : row;
    if (x != 0 && width < bytes || width == 0 || bytes % width != 0) return cudaErrorNotSupported;
    return cudaMemcpy2DToArray(to, x, y, from, width, width, bytes / width, kind);
}
inline cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                       cudaMemcpyKind kind) {
    workbook::Side3D side;
    const cudaError_t status = side.set(const_cast<cudaArray_t>(from), {0, 0, 0}, {});
    if (status != cudaSuccess) return status;
    const size_t row = side.width * side.element, width = bytes < row ? bytes : row;
    if (x != 0 && width < bytes || width == 0 || bytes % width != 0) return cudaErrorNotSupported;
    return cudaMemcpy2DFromArray(to, width, from, x, y, width, bytes / width, kind);
}

inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return workbook::copy_3d(p, nullptr, false); }
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream = nullptr) {
    return workbook::copy_3d(p, stream, true);
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
                          width, height, pitch, texture->addressMode[0], texture->addressMode[1], texture->addressMode[2],
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
