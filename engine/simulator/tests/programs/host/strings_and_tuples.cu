// about: std::string, std::tuple, std::optional, std::function, and a catch that never runs, on the host.
// output out: i32[4] = i == 0 ? 12 : i == 1 ? 5 : i == 2 ? 9 : 40
// finding: none

#include "workbook.cuh"
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

__global__ void kernel(int* out, int4 values) {
    out[0] = values.x, out[1] = values.y, out[2] = values.z, out[3] = values.w;
}

void run(int* out) {
    const std::string text = std::string("line ") + std::to_string(-40) + ": " + std::to_string(1.5);
    std::tuple<int, int> both(0, 0);
    int first = 0, second = 0;
    both = std::make_tuple(4, 5);
    std::tie(first, second) = both;
    auto [a, b] = both;
    int calls = 0;
    const std::function<int(int)> square = [&](int v) { return ++calls, v * v; };
    std::optional<int> found;
    const int missing = found.value_or(3);
    found = 40;
    try {
        if (text != "line -40: 1.500000") throw std::runtime_error("wrong text: " + text);
        const int squared = square(missing);
        kernel<<<1, 1>>>(out, make_int4(first + a + b - 1, second, squared, *found * calls));
    } catch (const std::exception& error) {
        printf("%s\n", error.what());
    }
}
