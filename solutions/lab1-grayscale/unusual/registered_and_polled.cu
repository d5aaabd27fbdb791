// why: registered memory in a kernel, a flag that is polled, an object for all calls, two catches.
// tasks: grayscale
#include "workbook.cuh"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>

constexpr int block_size = 256;

void check(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

// One object for all calls.
class Device {
   public:
    static Device& only() {
        static Device device;
        return device;
    }
    Device(const Device&) = delete;
    int multiprocessors() const { return multiprocessors_; }

   private:
    Device() {
        check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, 0));
    }
    ~Device() = default;
    int multiprocessors_ = 0;
};

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int stride = gridDim.x * block_size;
    for (int i = blockIdx.x * block_size + threadIdx.x; i < pixels; i += stride)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

static std::atomic<int> finished{0};
void CUDART_CB finish(void* count) { static_cast<std::atomic<int>*>(count)->fetch_add(1); }

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    try {
        const std::shared_ptr<void> mine(malloc(pixels), [](void* memory) { free(memory); });
        uint8_t* seen = nullptr;
        check(cudaHostRegister(mine.get(), pixels, cudaHostRegisterMapped));
        check(cudaHostGetDevicePointer(&seen, mine.get(), 0));
        finished = 0;
        const int blocks = min(ceil_div(pixels, block_size), 8 * Device::only().multiprocessors());
        grayscale_kernel<<<blocks, block_size>>>(rgb, seen, pixels);
        check(cudaLaunchHostFunc(nullptr, finish, &finished));
        while (finished.load(std::memory_order_acquire) == 0) std::this_thread::yield();
        check(cudaMemcpy(gray, mine.get(), pixels, cudaMemcpyHostToDevice));
        check(cudaHostUnregister(mine.get()));
    } catch (const std::invalid_argument& error) {
        printf("%s\n", error.what());
    } catch (...) {
        throw;
    }
}
