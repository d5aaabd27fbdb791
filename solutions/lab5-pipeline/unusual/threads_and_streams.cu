// why: streams in a vector, threads that promise results, a global object, a body that is a `try`.
// tasks: pipeline
// engine: simulator
#include "workbook.cuh"
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

constexpr int levels = 256;

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * levels + threadIdx.x; i < pixels; i += gridDim.x * levels)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void table_kernel(const uint32_t* bins, uint8_t* table, int pixels) {
    __shared__ int low, high;
    const int v = threadIdx.x;
    if (v == 0) low = levels - 1, high = 0;
    __syncthreads();
    if (bins[v] >= ceil_div(pixels, 1024)) atomicMin(&low, v), atomicMax(&high, v);
    __syncthreads();
    const int range = high - low, inside = min(max(v, low), high) - low;
    table[v] = range == 0 ? v : (255 * inside + range / 2) / range;
}

__global__ void smooth_kernel(const uint8_t* gray, const uint8_t* table, uint8_t* out, int width,
                              int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int j = max(y - 2, 0); j <= min(y + 2, height - 1); ++j)
        for (int i = max(x - 2, 0); i <= min(x + 2, width - 1); ++i, ++count)
            sum += table[gray[j * width + i]];
    out[y * width + x] = (sum + count / 2) / count;
}

static const std::string failed("the copy failed");

class Stream {
    cudaStream_t stream_;

   public:
    Stream() { cudaStreamCreate(&stream_); }
    Stream(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream_); }
    operator cudaStream_t() const { return stream_; }
};

void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) try {
    const int pixels = width * height;
    uint8_t *rgb, *gray, *out, *table;
    uint32_t* bins;
    cudaMalloc(&rgb, 3 * pixels);
    cudaMalloc(&gray, pixels);
    cudaMalloc(&out, pixels);
    cudaMalloc(&table, levels);
    cudaMalloc(&bins, levels * sizeof(uint32_t));

    const std::vector<Stream> streams(2);
    std::promise<cudaError_t> sent;
    std::future<cudaError_t> received = sent.get_future();
    std::thread sender([&, promise = std::move(sent)]() mutable {
        cudaMemcpyAsync(rgb, host_rgb, 3 * pixels, cudaMemcpyHostToDevice, streams[0]);
        promise.set_value(cudaStreamSynchronize(streams[0]));
    });
    std::mutex mutex;
    std::condition_variable changed;
    std::queue<const char*> done;
    std::atomic<bool> cleared{false};
    std::jthread clearer([&] {
        cudaMemsetAsync(bins, 0, levels * sizeof(uint32_t), streams[1]);
        cudaStreamSynchronize(streams[1]);
        const std::lock_guard<std::mutex> lock(mutex);
        done.push("cleared");
        changed.notify_one();
        cleared = true;
    });
    if (received.get() != cudaSuccess) throw failed.c_str();
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return !done.empty(); });
    }
    while (!cleared) std::this_thread::yield();
    sender.join();

    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    histogram_kernel<<<min(ceil_div(pixels, levels), 512), levels>>>(gray, bins, pixels);
    table_kernel<<<1, levels>>>(bins, table, pixels);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_kernel<<<grid, dim3(32, 8)>>>(gray, table, out, width, height);
    auto copied = std::async([=] { return cudaMemcpy(host_out, out, pixels, cudaMemcpyDefault); });
    if (copied.get() != cudaSuccess) throw failed.c_str();
    for (void* memory : {(void*)rgb, (void*)gray, (void*)out, (void*)table, (void*)bins})
        cudaFree(memory);
} catch (const char* what) {
    printf("%s\n", what);
} catch (...) {
    abort();
}
