// A `static` variable of a host function whose first value is computed: `static const int sms = query();` reaches the
// compiler as
//     const int& sms = ::workbook::once([&]() -> const int { return query(); });
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

}  // namespace workbook
