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
    constexpr duration& operator-=(duration other) { return *this = *this - other; }
    constexpr duration operator*(T by) const { return duration(count_ * by); }
    constexpr duration operator/(T by) const { return duration(count_ / by); }
    constexpr bool operator<(duration other) const { return count_ < other.count_; }
    constexpr bool operator>(duration other) const { return count_ > other.count_; }
    constexpr bool operator<=(duration other) const { return count_ <= other.count_; }
    constexpr bool operator>=(duration other) const { return count_ >= other.count_; }
    constexpr bool operator==(duration other) const { return count_ == other.count_; }
    static constexpr duration zero() { return duration(0); }

   private:
    T count_;
};
using nanoseconds = duration<long, nano>;
using microseconds = duration<long, micro>;
using milliseconds = duration<long, milli>;
using seconds = duration<long>;
using minutes = duration<long, ratio<60>>;
using hours = duration<long, ratio<3600>>;
template <class To, class T, class Unit>
constexpr To duration_cast(const duration<T, Unit>& from) {
    return To(from);
}

template <class Clock, class Duration = nanoseconds>
struct time_point {
    using clock = Clock;
    using duration = Duration;
    constexpr time_point() = default;
    template <class Other>
    constexpr time_point(const time_point<Clock, Other>&) {}
    constexpr Duration time_since_epoch() const { return Duration(0); }
    constexpr Duration operator-(time_point) const { return Duration(0); }
    template <class T, class Unit>
    constexpr time_point operator+(chrono::duration<T, Unit>) const {
        return *this;
    }
    constexpr bool operator<(time_point) const { return false; }
};
template <class To, class Clock, class Duration>
constexpr time_point<Clock, To> time_point_cast(const time_point<Clock, Duration>& at) {
    return at;
}

struct steady_clock {
    using duration = nanoseconds;
    using rep = long;
    using period = nano;
    using time_point = chrono::time_point<steady_clock>;
    static constexpr bool is_steady = true;
    static constexpr time_point now() { return {}; }
};
using high_resolution_clock = steady_clock;
using system_clock = steady_clock;

}  // namespace chrono

inline namespace literals {
inline namespace chrono_literals {
#pragma nv_diag_suppress 2506
#define WORKBOOK_UNIT(suffix, unit) \
    constexpr chrono::unit operator""##suffix(unsigned long long count) { return chrono::unit(count); }
WORKBOOK_UNIT(s, seconds)
WORKBOOK_UNIT(ms, milliseconds)
WORKBOOK_UNIT(us, microseconds)
WORKBOOK_UNIT(ns, nanoseconds)
#undef WORKBOOK_UNIT
}  // namespace chrono_literals
}  // namespace literals

}  // namespace std
