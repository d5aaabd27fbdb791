// std::variant, std::visit of one variant.
#pragma once
#include "cpp/stdexcept.h"
#include "cpp/utility.h"

namespace std {

struct monostate {};
inline constexpr size_t variant_npos = ~size_t(0);
class bad_variant_access : public exception {
   public:
    const char* what() const noexcept override { return "std::bad_variant_access"; }
};

template <class... T>
class variant;
template <class Variant>
struct variant_size;
template <class... T>
struct variant_size<variant<T...>> {
    static constexpr size_t value = sizeof...(T);
};
template <class Variant>
inline constexpr size_t variant_size_v = variant_size<Variant>::value;
template <size_t number, class Variant>
struct variant_alternative;
template <class First, class... T>
struct variant_alternative<0, variant<First, T...>> {
    using type = First;
};
template <size_t number, class First, class... T>
struct variant_alternative<number, variant<First, T...>> : variant_alternative<number - 1, variant<T...>> {};
template <size_t number, class Variant>
using variant_alternative_t = typename variant_alternative<number, Variant>::type;

}  // namespace std

namespace workbook {

// The place of a type in a list, which has it once.
template <class T, class... All>
constexpr size_t place_of() {
    size_t place = 0;
    bool found = false;
    ((found = found || std::is_same_v<T, All>, place += !found), ...);
    return place;
}
template <size_t... sizes>
constexpr size_t largest() {
    size_t most = 0;
    ((most = sizes > most ? sizes : most), ...);
    return most;
}
// Which alternative a value becomes: as a call of a function for each of them would choose.
template <size_t number, class T>
struct Chosen {
    static std::integral_constant<size_t, number> by(T);
};
template <class Numbers, class... T>
struct ChosenOf;
template <size_t... number, class... T>
struct ChosenOf<std::index_sequence<number...>, T...> : Chosen<number, T>... {
    using Chosen<number, T>::by...;
};
template <class V, class... T>
inline constexpr size_t chosen = decltype(ChosenOf<std::make_index_sequence<sizeof...(T)>, T...>::by(
    static_cast<V (*)()>(nullptr)()))::value;
template <size_t number = 0, class F, class Variant>
decltype(auto) visited(F&& f, Variant&& variant) {
    constexpr size_t all = std::variant_size_v<std::decay_t<Variant>>;
    if constexpr (number + 1 < all) {
        if (variant.index() != number) return visited<number + 1>(static_cast<F&&>(f), variant);
    }
    if (variant.index() != number) throw std::bad_variant_access();
    return static_cast<F&&>(f)(variant.template as<number>());
}

}  // namespace workbook

namespace std {

template <class... T>
class variant {
    alignas(T...) unsigned char bytes_[workbook::largest<sizeof(T)...>()];
    size_t index_ = variant_npos;

   public:
    variant() { emplace<0>(); }
    variant(const variant& other) { copy(other); }
    variant(variant&& other) noexcept { take(other); }
    template <class V, class = enable_if_t<!is_same_v<decay_t<V>, variant>>>
    variant(V&& value) {
        emplace<workbook::chosen<V&&, T...>>(static_cast<V&&>(value));
    }
    ~variant() { end(); }
    variant& operator=(const variant& other) {
        if (this == &other) return *this;
        end();
        copy(other);
        return *this;
    }
    variant& operator=(variant&& other) noexcept {
        if (this == &other) return *this;
        end();
        take(other);
        return *this;
    }
    size_t index() const { return index_; }
    bool valueless_by_exception() const { return false; }
    template <size_t number>
    auto& as() {
        return *reinterpret_cast<variant_alternative_t<number, variant>*>(bytes_);
    }
    template <size_t number>
    const auto& as() const {
        return *reinterpret_cast<const variant_alternative_t<number, variant>*>(bytes_);
    }
    template <size_t number, class... A>
    auto& emplace(A&&... arguments) {
        end();
        index_ = number;
        using Alternative = variant_alternative_t<number, variant>;
        return *new (bytes_) Alternative(static_cast<A&&>(arguments)...);
    }
    template <class V, class... A>
    V& emplace(A&&... arguments) {
        return emplace<workbook::place_of<V, T...>()>(static_cast<A&&>(arguments)...);
    }

   private:
    void end() {
        if (index_ == variant_npos) return;
        auto ended = [](auto& value) {
            using Value = decay_t<decltype(value)>;
            value.~Value();
        };
        workbook::visited(ended, *this);
        index_ = variant_npos;
    }
    void copy(const variant& other) {
        auto copied = [this](const auto& value) { emplace<decay_t<decltype(value)>>(value); };
        workbook::visited(copied, other);
    }
    void take(variant& other) {
        auto taken = [this](auto& value) {
            using Value = decay_t<decltype(value)>;
            emplace<Value>(static_cast<Value&&>(value));
        };
        workbook::visited(taken, other);
    }
};

template <class V, class... T>
bool holds_alternative(const variant<T...>& from) {
    return from.index() == workbook::place_of<V, T...>();
}
template <size_t number, class... T>
auto* get_if(variant<T...>* from) {
    return from->index() == number ? &from->template as<number>() : nullptr;
}
template <size_t number, class... T>
const auto* get_if(const variant<T...>* from) {
    return from->index() == number ? &from->template as<number>() : nullptr;
}
template <class V, class... T>
V* get_if(variant<T...>* from) {
    return get_if<workbook::place_of<V, T...>()>(from);
}
template <class V, class... T>
const V* get_if(const variant<T...>* from) {
    return get_if<workbook::place_of<V, T...>()>(from);
}
template <size_t number, class... T>
auto& get(variant<T...>& from) {
    if (from.index() != number) throw bad_variant_access();
    return from.template as<number>();
}
template <size_t number, class... T>
const auto& get(const variant<T...>& from) {
    if (from.index() != number) throw bad_variant_access();
    return from.template as<number>();
}
template <class V, class... T>
V& get(variant<T...>& from) {
    return get<workbook::place_of<V, T...>()>(from);
}
template <class V, class... T>
const V& get(const variant<T...>& from) {
    return get<workbook::place_of<V, T...>()>(from);
}
template <class F, class Variant>
decltype(auto) visit(F&& f, Variant&& from) {
    return workbook::visited(static_cast<F&&>(f), from);
}

}  // namespace std
