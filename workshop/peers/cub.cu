// CUB's histogram, as it comes with the CUDA toolkit. See peers.cuh.
#include <cub/device/device_histogram.cuh>

#include "peers.cuh"

int main(int count, char** arguments) {
    const Order order = read_order(count, arguments);
    std::printf("{\"library\": \"CUB\", \"version\": \"%d.%d.%d\", \"rows\": [\n", CUB_MAJOR_VERSION,
                CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
    Bench bench(order);
    size_t bytes = 0;
    auto histogram = [&](void* temporary, const Buffers& set) {
        return cub::DeviceHistogram::HistogramEven(temporary, bytes, set.gray, set.bins, levels + 1, 0, levels,
                                                   int(order.pixels()), bench.stream);
    };
    CHECK(histogram(nullptr, Buffers{}));
    void* temporary = nullptr;
    CHECK(cudaMalloc(&temporary, bytes));
    bench.time(
        "histogram", "CUB DeviceHistogram::HistogramEven",
        [&](const Buffers& set) {
            const cudaError_t error = histogram(temporary, set);
            return error == cudaSuccess ? "" : cudaGetErrorString(error);
        },
        [](const Buffers& set) { return set.bins; }, levels * sizeof(int32_t));
    std::printf("\n]}\n");
}
