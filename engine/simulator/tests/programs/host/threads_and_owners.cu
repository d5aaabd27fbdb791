// about: threads that run when they are waited for, shared owners, vectors with an allocator, a std::function with its own copy, bulk copies, on the host.
// output out: i32[8] = i == 0 ? 7 : i == 1 ? 2 : i == 2 ? 12 : i == 3 ? 3007 : i == 4 ? 3 : i == 5 ? 6 : i == 6 ? 21 : 9
// finding: none

#include "workbook.cuh"
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <source_location>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

template <class T>
struct Pinned {
    using value_type = T;
    T* allocate(size_t count) {
        T* memory = nullptr;
        WORKBOOK_CHECK(cudaMallocHost(&memory, count * sizeof(T)));
        return memory;
    }
    void deallocate(T* memory, size_t) { WORKBOOK_CHECK(cudaFreeHost(memory)); }
};

__global__ void kernel(int* out, std::array<int, 8> values) {
    for (int i = 0; i < 8; ++i) out[i] = values[i];
}

static std::atomic<int> sum{0};
static std::atomic<bool> ready{false};
static std::mutex mutex;

unsigned line_of(const std::source_location at = std::source_location::current()) { return at.line(); }

int many(const std::vector<int>& from) {
    std::vector<int> copy(from.cbegin(), from.cend());
    std::vector<int> filled(copy.size(), 7);
    std::copy(filled.begin(), filled.begin() + 1, copy.begin() + 1);
    return std::count(filled.begin(), filled.end(), 7) + copy[1];
}

void run(int* out) {
    std::array<int, 8> values{};
    std::vector<std::thread> threads;
    for (int i = 1; i <= 3; ++i)
        threads.emplace_back([i] {
            const std::lock_guard<std::mutex> lock(mutex);
            sum.fetch_add(i);
        });
    for (auto& thread : threads) thread.join();
    ready = true;
    values[0] = sum.load() + (ready ? 1 : 0);

    auto ended = std::make_shared<int>(0);
    {
        std::shared_ptr<int> one(new int(4), [ended](int* number) {
            ++*ended;
            delete number;
        });
        const std::shared_ptr<int> other = one;
        one.reset();
        *ended += static_cast<int>(other.use_count());
    }
    values[1] = *ended;

    std::vector<int, Pinned<int>> pinned(5, 2);
    pinned.push_back(2);
    values[2] = std::accumulate(pinned.begin(), pinned.end(), 0);
    values[3] = many(std::vector<int>(3000, 1));

    std::function<int(int)> add = [ended](int number) { return *ended + number; };
    const std::function<int(int)> copied = add;
    add = nullptr;
    values[4] = copied(1);
    values[5] = std::async(std::launch::async, [](int number) { return 2 * number; }, 3).get();

    std::queue<std::string> texts;
    texts.push("a/b");
    const std::string_view view = texts.front();
    values[6] = static_cast<int>(20 + view.find('/'));
    const std::chrono::time_point<std::chrono::steady_clock> start = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    values[7] = line_of() == __LINE__ && took.count() == 0 ? 9 : 0;
    const std::vector<int> primes{2, 3, 5};
    std::queue<int> waiting;
    waiting.push(std::div(std::accumulate(primes.begin(), primes.end(), 0), 4).rem);
    if (waiting.front() != __builtin_ctz(4)) values[7] = -1;
    kernel<<<1, 1>>>(out, values);
}
