// about: Streams into strings, maps, sets, spans, vectors of strings and of vectors, owners of derived classes, on the host.
// output out: i32[4] = i == 0 ? 42 : i == 1 ? 6 : i == 2 ? 3 : 15
// finding: none

#include "workbook.cuh"
#include <iomanip>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <vector>

__global__ void kernel(int* out, int4 values) {
    out[0] = values.x, out[1] = values.y, out[2] = values.z, out[3] = values.w;
}

struct Point {
    int x, y;
    friend std::ostream& operator<<(std::ostream& stream, const Point& point) {
        return stream << point.x << ',' << point.y;
    }
};
struct Shape {
    virtual ~Shape() = default;
    virtual int corners() const = 0;
};
struct Triangle : Shape {
    int corners() const override { return 3; }
};

void run(int* out) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << 3.14159 << ' ' << std::setw(4) << std::setfill('0') << 42 << ' '
         << std::hex << 255 << ' ' << Point{1, 2} << std::boolalpha << true << std::endl;
    const bool same = text.str() == "3.14 0042 ff 1,2true\n";
    std::map<std::string, int> sizes{{"b", 2}, {"a", 1}};
    sizes["c"] += 3;
    int sum = 0;
    for (const auto& [name, size] : sizes) sum += size * static_cast<int>(name.size());
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Triangle>());
    std::vector<std::vector<int>> rows(3, std::vector<int>(2, 1));
    rows.insert(rows.begin(), std::vector<int>{4, 5});
    rows.erase(rows.begin() + 1);
    const std::set<int> numbers{3, 1, 2, 3};
    std::vector<int> back;
    for (auto at = numbers.rbegin(); at != numbers.rend(); ++at) back.push_back(*at);
    int total = back[0] == 3 ? 2 : 0;
    for (const auto& row : rows)
        for (int value : std::span<const int>(row)) total += value;
    kernel<<<1, 1>>>(out, make_int4(same ? 42 : 0, sum, shapes[0]->corners(), total));
}
