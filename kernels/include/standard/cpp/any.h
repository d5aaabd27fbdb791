// std::any.
#pragma once
#include "cpp/stdexcept.h"
#include "cpp/utility.h"

namespace workbook {
struct AnyValue {
    virtual ~AnyValue() {}
    virtual AnyValue* copy() const = 0;
    virtual const void* type() const = 0;
};
// An object for each type, whose address names it.
template <class T>
const void* name_of() {
    static char name;
    return &name;
}
template <class T>
struct AnyOf : AnyValue {
    T value;
    explicit AnyOf(const T& value) : value(value) {}
    AnyValue* copy() const override { return new AnyOf(value); }
    const void* type() const override { return name_of<T>(); }
};
}  // namespace workbook

namespace std {

class bad_any_cast : public exception {
   public:
    const char* what() const noexcept override { return "bad any_cast"; }
};
class any {
    workbook::AnyValue* value_ = nullptr;

   public:
    any() = default;
    any(const any& other) : value_(other.value_ == nullptr ? nullptr : other.value_->copy()) {}
    any(any&& other) noexcept : value_(exchange(other.value_, nullptr)) {}
    template <class T, class = enable_if_t<!is_same_v<decay_t<T>, any>>>
    any(T&& value) : value_(new workbook::AnyOf<decay_t<T>>(static_cast<T&&>(value))) {}
    any& operator=(any other) noexcept {
        workbook::AnyValue* const mine = value_;
        value_ = other.value_;
        other.value_ = mine;
        return *this;
    }
    ~any() { delete value_; }
    bool has_value() const { return value_ != nullptr; }
    void reset() { *this = any(); }
    template <class T>
    T* as() const {
        const bool is = value_ != nullptr && value_->type() == workbook::name_of<T>();
        return is ? &static_cast<workbook::AnyOf<T>*>(value_)->value : nullptr;
    }
};
template <class T>
T* any_cast(any* from) {
    return from->template as<T>();
}
template <class T>
T any_cast(const any& from) {
    auto* const value = from.template as<decay_t<T>>();
    if (value == nullptr) throw bad_any_cast();
    return *value;
}

}  // namespace std
