// std::mt19937 and two distributions. The numbers of a distribution differ between libraries; these are the same on every machine.
#pragma once
#include "stdint.h"

namespace std {

class mt19937 {
    uint32_t state_[624];
    unsigned next_ = 624;

   public:
    using result_type = uint32_t;
    explicit mt19937(uint32_t seed = 5489u) {
        state_[0] = seed;
        for (unsigned i = 1; i < 624; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
    }
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return 0xffffffffu; }
    uint32_t operator()() {
        if (next_ == 624) {
            for (unsigned i = 0; i < 624; ++i) {
                const uint32_t both = (state_[i] & 0x80000000u) | (state_[(i + 1) % 624] & 0x7fffffffu);
                state_[i] = state_[(i + 397) % 624] ^ both >> 1 ^ (both % 2 != 0 ? 0x9908b0dfu : 0);
            }
            next_ = 0;
        }
        uint32_t bits = state_[next_++];
        bits ^= bits >> 11;
        bits ^= bits << 7 & 0x9d2c5680u;
        bits ^= bits << 15 & 0xefc60000u;
        return bits ^ bits >> 18;
    }
};
using default_random_engine = mt19937;
struct random_device {
    uint32_t operator()() { return 1; }
};
template <class T = int>
class uniform_int_distribution {
    T low_, high_;

   public:
    explicit uniform_int_distribution(T low = 0, T high = 2147483647) : low_(low), high_(high) {}
    template <class Engine>
    T operator()(Engine& engine) {
        const uint64_t span = static_cast<uint64_t>(high_) - static_cast<uint64_t>(low_) + 1;
        return static_cast<T>(low_ + static_cast<T>(engine() * span >> 32));
    }
};
template <class T = double>
class uniform_real_distribution {
    T low_, high_;

   public:
    explicit uniform_real_distribution(T low = 0, T high = 1) : low_(low), high_(high) {}
    template <class Engine>
    T operator()(Engine& engine) {
        return low_ + (high_ - low_) * static_cast<T>(engine() * (1.0 / 4294967296.0));
    }
};

}  // namespace std
