// why: std::variant, std::any and std::bitset, a pool of threads, a texture of all bytes.
// tasks: grayscale
#include <any>
#include <bitset>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <variant>
#include <vector>
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const uint8_t* p = rgb + 3 * i;
    gray[i] = (30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100;
}

__global__ void texture_kernel(cudaTextureObject_t rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const auto at = [&](int channel) -> int { return tex1Dfetch<uint8_t>(rgb, 3 * i + channel); };
    gray[i] = (30 * at(0) + 59 * at(1) + 11 * at(2) + 50) / 100;
}

class Pool {
   public:
    explicit Pool(int threads) {
        for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    }
    ~Pool() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ends_ = true;
        }
        changed_.notify_all();
        for (auto& thread : threads_) thread.join();
    }
    void add(std::function<void()> task) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            tasks_.push(std::move(task));
        }
        changed_.notify_one();
    }

   private:
    void work() {
        while (true) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                changed_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
                if (tasks_.empty()) return;
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }
    std::vector<std::thread> threads_;
    std::queue<std::function<void()>> tasks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ends_ = false;
};

struct AsTexture {
    cudaTextureObject_t texture;
};
struct InParts {
    int parts;
};
struct Launch {
    const uint8_t* rgb;
    uint8_t* gray;
    int pixels;
    void operator()(AsTexture plan) const {
        texture_kernel<<<ceil_div(pixels, 256), 256>>>(plan.texture, gray, pixels);
    }
    void operator()(InParts plan) const {
        Pool pool(2);
        const int each = ceil_div(pixels, plan.parts);
        for (int begin = 0; begin < pixels; begin += each) {
            const int count = std::min(each, pixels - begin);
            pool.add([=, in = rgb + 3 * begin, out = gray + begin] {
                grayscale_kernel<<<ceil_div(count, 256), 256>>>(in, out, count);
            });
        }
    }
};

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const std::any pixels = width * height;
    const std::bitset<32> odd(width % 2);
    std::variant<InParts, AsTexture> plan = InParts{3};
    if (odd.any()) {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = const_cast<uint8_t*>(rgb);
        resource.res.linear.desc = cudaCreateChannelDesc<uint8_t>();
        resource.res.linear.sizeInBytes = size_t{3} * width * height;
        cudaTextureDesc read = {};
        plan = AsTexture{};
        cudaCreateTextureObject(&std::get<AsTexture>(plan).texture, &resource, &read, nullptr);
    }
    std::visit(Launch{rgb, gray, std::any_cast<int>(pixels)}, plan);
    cudaDeviceSynchronize();
    if (auto* used = std::get_if<AsTexture>(&plan)) cudaDestroyTextureObject(used->texture);
}
