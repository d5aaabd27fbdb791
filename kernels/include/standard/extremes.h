// std::min, std::max, std::clamp and std::swap, without the rest of <algorithm>.
#pragma once

namespace std {

template <class T>
constexpr const T& min(const T& a, const T& b) {
    return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
    return a < b ? b : a;
}
template <class T>
constexpr const T& clamp(const T& value, const T& low, const T& high) {
    return value < low ? low : high < value ? high : value;
}
template <class T>
inline void swap(T& a, T& b) {
    T kept = a;
    a = b;
    b = kept;
}

}  // namespace std
