// A `static` variable of a host function whose first value is computed: `static const int sms = query();` reaches the
// compiler as
//     const int& sms = ::workbook::once([&]() -> const int { return query(); });
// and an object that is not assigned is made in its place.
// Each such line has a function type of its own, and so a variable of its own.
#pragma once

namespace workbook {

struct Here {
    void* address;
};

template <class T>
struct plain {
    using type = T;
};
template <class T>
struct plain<const T> {
    using type = T;
};

}  // namespace workbook

inline void* operator new(size_t, workbook::Here here) { return here.address; }
inline void operator delete(void*, workbook::Here) {}

namespace workbook {

template <class F>
auto& once(F make) {
    using T = typename plain<decltype(make())>::type;
    alignas(T) static unsigned char value[sizeof(T)];
    static bool made;
    if (!made) {
        new (Here{value}) T(make());
        made = true;
    }
    return *reinterpret_cast<T*>(value);
}

// Of an object that the function makes in its place.
template <class T, class F>
T& once(F make) {
    using Plain = typename plain<T>::type;
    alignas(Plain) static unsigned char value[sizeof(Plain)];
    static bool made;
    if (!made) {
        make(Here{value});
        made = true;
    }
    return *reinterpret_cast<Plain*>(value);
}

}  // namespace workbook
