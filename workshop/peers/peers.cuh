// What the programs that time other libraries share: the pictures, the buffers, the clock.
//
// Called as `PROGRAM WIDTH HEIGHT OPERATIONS DIVISOR,F0,…,F24 [FOLDER]` with the picture on standard input: width ·
// height · 3 bytes RGB RGB …, then the width · height bytes of its gray. Prints a line of JSON for each operation that
// it can do of those asked for, separated by commas. With a folder, what each made of the picture is written to the file
// in it that the line names as its output, for the caller to compare.
//
// The clock is the checker's own (checker/src/timing/batch.rs, checker/src/engine/gpu/queue.rs): events around calls
// that begin with an empty L2, less the time of the events; calls below 50 µs in batches, each on buffers of its
// own; the median of 15. The GPU is kept busy until all calls of a batch are queued, so that no library pays for its
// host code.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

constexpr int levels = 256;
constexpr int runs = 15;
constexpr double short_call = 0.050, batch_length = 0.200;  // milliseconds
constexpr int most_calls = 64;
constexpr size_t most_bytes = size_t(4) << 30;
constexpr size_t flush_bytes = size_t(256) << 20;
constexpr double warm_up = 200;  // milliseconds until the clocks have risen
constexpr size_t set_bytes = 9;  // of a call's buffers, a pixel

[[noreturn]] inline void stop(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
}

inline void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) stop(std::string(what) + ": " + cudaGetErrorString(error));
}
#define CHECK(call) check(call, #call)

// What was asked for, and the picture.
struct Order {
    int width, height;
    std::vector<std::string> operations;
    int divisor;
    std::vector<int32_t> filter;
    std::string folder;
    std::vector<uint8_t> rgb, gray;

    size_t pixels() const { return size_t(width) * height; }
    bool asks_for(const char* operation) const {
        return std::find(operations.begin(), operations.end(), operation) != operations.end();
    }
};

inline std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    for (char letter : text) {
        if (letter == ',') {
            parts.emplace_back();
        } else {
            parts.back() += letter;
        }
    }
    return parts;
}

inline Order read_order(int count, char** arguments) {
    if (count < 5) stop("usage: PROGRAM WIDTH HEIGHT OPERATIONS DIVISOR,F0,...,F24 [FOLDER] < PICTURE");
    Order order;
    order.width = std::atoi(arguments[1]);
    order.height = std::atoi(arguments[2]);
    order.operations = split(arguments[3]);
    std::vector<std::string> numbers = split(arguments[4]);
    if (numbers.size() != 26 || order.width < 1 || order.height < 1) stop("a filter has 25 values and a divisor");
    order.divisor = std::atoi(numbers[0].c_str());
    for (size_t i = 1; i < numbers.size(); ++i) order.filter.push_back(std::atoi(numbers[i].c_str()));
    if (count > 5) order.folder = arguments[5];
    order.rgb.resize(3 * order.pixels());
    order.gray.resize(order.pixels());
    for (std::vector<uint8_t>* part : {&order.rgb, &order.gray})
        if (std::fread(part->data(), 1, part->size(), stdin) != part->size()) stop("the picture is too short");
    return order;
}

// New levels, as lab 3 asks for them. No library makes these tables; they are made before the clock starts.
inline std::vector<uint8_t> stretch_table(const std::vector<uint64_t>& bins, uint64_t pixels) {
    int low = 0, high = levels - 1;
    while (bins[low] * 1024 < pixels) ++low;
    while (bins[high] * 1024 < pixels) --high;
    std::vector<uint8_t> table(levels);
    for (int level = 0; level < levels; ++level) {
        const int above = std::clamp(level, low, high) - low;
        table[level] = low == high ? level : (255 * above + (high - low) / 2) / (high - low);
    }
    return table;
}

inline std::vector<uint8_t> equalize_table(const std::vector<uint64_t>& bins, uint64_t pixels) {
    uint64_t cdf = 0, lowest = 0;
    std::vector<uint8_t> table(levels);
    for (int level = 0; level < levels; ++level) {
        cdf += bins[level];
        if (lowest == 0) lowest = cdf;
        const uint64_t others = pixels - lowest;
        table[level] = others == 0 ? level : (255 * (cdf - lowest) + others / 2) / others;
    }
    return table;
}

inline std::vector<uint64_t> count(const std::vector<uint8_t>& gray) {
    std::vector<uint64_t> bins(levels);
    for (uint8_t level : gray) ++bins[level];
    return bins;
}

// Device memory of one call.
struct Buffers {
    uint8_t *rgb, *gray, *first, *second;  // 3, 1, 3 and 1 bytes per pixel; the first two are the picture
    int32_t* bins;
};

class Bench {
  public:
    explicit Bench(const Order& order) : order(order) {
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&start));
        CHECK(cudaEventCreate(&end));
        CHECK(cudaMalloc(&scratch, flush_bytes));
        add_set();
        const auto begun = std::chrono::steady_clock::now();
        while (milliseconds_since(begun) < warm_up) {
            flush(16);
            CHECK(cudaStreamSynchronize(stream));
        }
        one_flush = median([&] {
            CHECK(cudaEventRecord(start, stream));
            flush(1);
            return since_start();
        });
        empty = median([&] {
            flush(1);
            CHECK(cudaEventRecord(start, stream));
            return since_start();
        });
    }

    cudaStream_t stream;

    // Times `call`, which does `operation` on the buffers that it is given, and prints the line. `call` returns an
    // empty text, or why it cannot. `result` says where the operation leaves its `bytes`. `same` is false for what is
    // only like the operation.
    template <class Call, class Result>
    void time(const char* operation, const char* peer, Call call, Result result, size_t bytes, bool same = true) {
        if (!order.asks_for(operation)) return;
        const std::string refused = warm(call);
        if (!refused.empty()) return refuse(operation, peer, refused);
        const double alone = median([&] { return batch(call, 1); });
        int calls = alone < short_call ? int(batch_length / std::max(alone, 1e-4)) + 1 : 1;
        calls = std::min({calls, most_calls, std::max(int(most_bytes / (set_bytes * order.pixels())), 1)});
        while (int(sets.size()) < calls) add_set();
        batch(call, calls);
        const double ms = median([&] { return batch(call, calls); });
        const std::string output = std::string(operation) + "-" + std::to_string(lines);
        std::printf("%s{\"operation\": \"%s\", \"peer\": \"%s\", \"ms\": %.6f, \"runs\": %d, \"calls\": %d, "
                    "\"same\": %s, \"output\": \"%s\"}",
                    lines == 0 ? "" : ",\n", operation, peer, ms, runs, calls, same ? "true" : "false",
                    output.c_str());
        if (!order.folder.empty()) write(order.folder + "/" + output, result(sets[0]), bytes);
        ++lines;
    }

    void refuse(const char* operation, const char* peer, const std::string& why) {
        if (!order.asks_for(operation)) return;
        std::printf("%s{\"operation\": \"%s\", \"peer\": \"%s\", \"refused\": \"%s\"}", lines == 0 ? "" : ",\n",
                    operation, peer, why.c_str());
        ++lines;
    }

  private:
    const Order& order;
    cudaEvent_t start, end;
    void* scratch = nullptr;
    std::vector<Buffers> sets;
    double empty = 0, one_flush = 0.05;
    int lines = 0;

    static double milliseconds_since(std::chrono::steady_clock::time_point begun) {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
    }

    void add_set() {
        Buffers set;
        const size_t pixels = order.pixels();
        CHECK(cudaMalloc(&set.rgb, 3 * pixels));
        CHECK(cudaMalloc(&set.gray, pixels));
        CHECK(cudaMalloc(&set.first, 3 * pixels));
        CHECK(cudaMalloc(&set.second, pixels));
        CHECK(cudaMalloc(&set.bins, (levels + 1) * sizeof(int32_t)));
        CHECK(cudaMemcpy(set.rgb, order.rgb.data(), 3 * pixels, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(set.gray, order.gray.data(), pixels, cudaMemcpyHostToDevice));
        sets.push_back(set);
    }

    void flush(int times) {
        for (int i = 0; i < times; ++i) CHECK(cudaMemsetAsync(scratch, 0, flush_bytes, stream));
    }

    double since_start() {
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaStreamSynchronize(stream));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, start, end));
        return ms;
    }

    template <class Once>
    static double median(Once once) {
        std::vector<double> times;
        for (int i = 0; i < runs; ++i) times.push_back(once());
        std::sort(times.begin(), times.end());
        return times[runs / 2];
    }

    double issuing = 0.01;  // milliseconds of the host for one call

    template <class Call>
    std::string warm(Call call) {
        for (int i = 0; i < 3; ++i) {
            const auto begun = std::chrono::steady_clock::now();
            const std::string refused = call(sets[0]);
            issuing = milliseconds_since(begun);
            if (!refused.empty()) return refused;
            const cudaError_t error = cudaStreamSynchronize(stream);
            if (error != cudaSuccess) stop(std::string("a kernel failed: ") + cudaGetErrorString(error));
        }
        return "";
    }

    // Milliseconds of one of so many calls, each with its own buffers.
    template <class Call>
    double batch(Call call, int calls) {
        // Long enough on the GPU for all calls to be queued behind it.
        flush(2 + int(calls * issuing * 1.5 / one_flush));
        CHECK(cudaEventRecord(start, stream));
        for (int i = 0; i < calls; ++i) call(sets[i]);
        return std::max(since_start() - empty, 0.0) / calls;
    }

    static void write(const std::string& path, const void* device, size_t bytes) {
        std::vector<uint8_t> host(bytes);
        CHECK(cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost));
        std::FILE* file = std::fopen(path.c_str(), "wb");
        if (!file || std::fwrite(host.data(), 1, bytes, file) != bytes || std::fclose(file) != 0)
            stop("failed to write " + path);
    }
};
