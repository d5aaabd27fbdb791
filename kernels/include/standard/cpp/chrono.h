// std::chrono, for host functions that time themselves. Time stands still, so that every run is the same.
#pragma once

namespace std {

template <long numerator, long denominator = 1>
struct ratio {
    static constexpr long num = numerator, den = denominator;
};
using nano = ratio<1, 1000000000>;
using micro = ratio<1, 1000000>;
using milli = ratio<1, 1000>;

namespace chrono {

template <class T, class Unit = ratio<1>>
class duration {
   public:
    using rep = T;
    using period = Unit;
    constexpr duration() : count_(0) {}
    constexpr explicit duration(T count) : count_(count) {}
    template <class U, class Other>
    constexpr duration(const duration<U, Other>& other)
        : count_(static_cast<T>(other.count() * (static_cast<double>(Other::num) * Unit::den /
                                                 (static_cast<double>(Other::den) * Unit::num)))) {}
    constexpr T count() const { return count_; }
    constexpr duration operator+(duration other) const { return duration(count_ + other.count_); }
    constexpr duration operator-(duration other) const { return duration(count_ - other.count_); }
    constexpr duration& operator+=(duration other) { return *this = *this + other; }
    constexpr bool operator<(duration other) const { return count_ < other.count_; }
    constexpr bool operator>(duration other) const { return count_ > other.count_; }

   private:
    T count_;
};
using nanoseconds = duration<long, nano>;
using microseconds = duration<long, micro>;
using milliseconds = duration<long, milli>;
using seconds = duration<long>;
template <class To, class T, class Unit>
constexpr To duration_cast(const duration<T, Unit>& from) {
    return To(from);
}

struct steady_clock {
    using duration = nanoseconds;
    struct time_point {
        constexpr nanoseconds time_since_epoch() const { return nanoseconds(0); }
        constexpr nanoseconds operator-(time_point) const { return nanoseconds(0); }
    };
    static constexpr time_point now() { return {}; }
};
using high_resolution_clock = steady_clock;
using system_clock = steady_clock;

}  // namespace chrono
}  // namespace std
