// NVIDIA Performance Primitives, as they come with the CUDA toolkit. See peers.cuh.
//
// NPP has pixels of three colours interleaved; nothing of it takes planes. It replicates the border where the labs
// leave out what is not there, and its weights of a gray are its own (0.299, 0.587, 0.114): the same bytes are moved.
#include <nppcore.h>
#include <nppdefs.h>
#include <nppi_color_conversion.h>
#include <nppi_filtering_functions.h>
#include <nppi_statistics_functions.h>

#include "peers.cuh"

static NppStreamContext context(cudaStream_t stream) {
    NppStreamContext context = {};
    cudaDeviceProp properties;
    CHECK(cudaGetDevice(&context.nCudaDeviceId));
    CHECK(cudaGetDeviceProperties(&properties, context.nCudaDeviceId));
    CHECK(cudaStreamGetFlags(stream, &context.nStreamFlags));
    context.hStream = stream;
    context.nMultiProcessorCount = properties.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
    context.nSharedMemPerBlock = properties.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = properties.major;
    context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
    return context;
}

// The buffer size was an int before it became a size_t.
template <class Size>
static size_t buffer_size(NppStatus (*ask)(NppiSize, int, Size*, NppStreamContext), NppiSize size,
                          NppStreamContext context) {
    Size bytes = 0;
    if (ask(size, levels + 1, &bytes, context) != NPP_SUCCESS) stop("nppiHistogramEvenGetBufferSize failed");
    return size_t(bytes);
}

template <class Values>
static auto* on_gpu(const Values& values) {
    void* memory = nullptr;
    const size_t bytes = values.size() * sizeof(values[0]);
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemcpy(memory, values.data(), bytes, cudaMemcpyHostToDevice));
    return static_cast<typename Values::value_type*>(memory);
}

// What went wrong first.
static std::string said(std::initializer_list<NppStatus> all) {
    for (NppStatus status : all)
        if (status != NPP_SUCCESS) return "NPP status " + std::to_string(int(status));
    return "";
}

int main(int count, char** arguments) {
    const Order order = read_order(count, arguments);
    const NppLibraryVersion* version = nppGetLibVersion();
    std::printf("{\"library\": \"NPP\", \"version\": \"%d.%d.%d\", \"rows\": [\n", version->major, version->minor,
                version->build);
    Bench bench(order);
    const NppStreamContext npp = context(bench.stream);
    const int width = order.width;
    const NppiSize size = {order.width, order.height}, mask = {5, 5};
    const NppiPoint origin = {0, 0}, anchor = {2, 2};
    const NppiBorderType border = NPP_BORDER_REPLICATE;
    const size_t pixels = order.pixels(), counters = levels * sizeof(int32_t);

    // NPP makes no such tables: it is given them.
    const std::vector<uint64_t> bins = ::count(order.gray);
    Npp8u* stretch = on_gpu(stretch_table(bins, pixels));
    Npp8u* equalize = on_gpu(equalize_table(bins, pixels));
    std::vector<int32_t> triangle;
    for (int row : {1, 2, 3, 2, 1})
        for (int column : {1, 2, 3, 2, 1}) triangle.push_back(row * column);
    Npp32s* triangular = on_gpu(triangle);
    // NPP has the values of a filter in reverse order.
    Npp32s* filter = on_gpu(std::vector<int32_t>(order.filter.rbegin(), order.filter.rend()));
    Npp8u* scratch = nullptr;
    CHECK(cudaMalloc(&scratch, buffer_size(nppiHistogramEvenGetBufferSize_8u_C1R_Ctx, size, npp)));
    const Npp32f darker[3] = {0.6f * 0.3f, 0.6f * 0.59f, 0.6f * 0.11f};

    const auto gray = [&](const Buffers& set, Npp8u* to) {
        return nppiRGBToGray_8u_C3C1R_Ctx(set.rgb, 3 * width, to, width, size, npp);
    };
    const auto histogram = [&](const Npp8u* from, const Buffers& set) {
        return nppiHistogramEven_8u_C1R_Ctx(from, width, size, set.bins, levels + 1, 0, levels, scratch, npp);
    };
    const auto look_up = [&](const Npp8u* from, Npp8u* to, const Npp8u* table) {
        return nppiLUTPalette_8u_C1R_Ctx(from, width, to, width, size, table, 8, npp);
    };
    const auto box = [&](const Npp8u* from, Npp8u* to) {
        return nppiFilterBoxBorder_8u_C1R_Ctx(from, width, size, origin, to, width, size, mask, anchor, border, npp);
    };
    const auto first = [](const Buffers& set) { return set.first; };
    const auto second = [](const Buffers& set) { return set.second; };
    const auto counts = [](const Buffers& set) { return set.bins; };

    bench.time(
        "grayscale", "NPP nppiRGBToGray_8u_C3C1R", [&](const Buffers& set) { return said({gray(set, set.first)}); },
        first, pixels);
    bench.time(
        "grayscale_darken", "NPP nppiColorToGray_8u_C3C1R (interleaved)",
        [&](const Buffers& set) {
            return said({nppiColorToGray_8u_C3C1R_Ctx(set.rgb, 3 * width, set.first, width, size, darker, npp)});
        },
        first, pixels);
    bench.time(
        "histogram", "NPP nppiHistogramEven_8u_C1R",
        [&](const Buffers& set) { return said({histogram(set.gray, set)}); }, counts, counters);
    bench.time(
        "gray_histogram", "NPP nppiRGBToGray + nppiHistogramEven",
        [&](const Buffers& set) { return said({gray(set, set.first), histogram(set.first, set)}); }, first, pixels);
    for (const auto& [operation, table] : {std::pair{"contrast_stretch", stretch}, std::pair{"equalize", equalize}})
        bench.time(
            operation, "NPP nppiHistogramEven + nppiLUTPalette (table given)",
            [&, table = table](const Buffers& set) {
                return said({histogram(set.gray, set), look_up(set.gray, set.first, table)});
            },
            first, pixels);
    bench.time(
        "smooth_box", "NPP nppiFilterBoxBorder_8u_C1R",
        [&](const Buffers& set) { return said({box(set.gray, set.first)}); }, first, pixels);
    bench.time(
        "smooth_triangular", "NPP nppiFilterBorder_8u_C1R",
        [&](const Buffers& set) {
            return said({nppiFilterBorder_8u_C1R_Ctx(set.gray, width, size, origin, set.first, width, size, triangular,
                                                     mask, anchor, 81, border, npp)});
        },
        first, pixels);
    bench.time(
        "smooth_triangular", "NPP nppiFilterGaussBorder_8u_C1R (its own weights)",
        [&](const Buffers& set) {
            return said({nppiFilterGaussBorder_8u_C1R_Ctx(set.gray, width, size, origin, set.first, width, size,
                                                          NPP_MASK_SIZE_5_X_5, border, npp)});
        },
        first, pixels, false);
    bench.time(
        "filter_rgb", "NPP nppiFilterBorder_8u_C3R",
        [&](const Buffers& set) {
            return said({nppiFilterBorder_8u_C3R_Ctx(set.rgb, 3 * width, size, origin, set.first, 3 * width, size,
                                                     filter, mask, anchor, order.divisor, border, npp)});
        },
        first, 3 * pixels);
    bench.time(
        "pipeline", "NPP gray + histogram + table + box (table given)",
        [&](const Buffers& set) {
            return said({gray(set, set.second), histogram(set.second, set),
                         look_up(set.second, set.first, stretch), box(set.first, set.second)});
        },
        second, pixels);
    std::printf("\n]}\n");
}
