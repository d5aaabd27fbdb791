// Exceptions of host functions, without an `#include`, as in C++. `throw` prints the text and ends the host function: what follows a
// `catch` never runs. The rewriting of the file does `throw;`, `catch (...)` and a `try` in the place of a function's body.
#pragma once

namespace std {
class exception {
   public:
    virtual ~exception() {}
    virtual const char* what() const noexcept { return "std::exception"; }
};
}  // namespace std

namespace workbook {
// Ends the host function as `abort` does.
inline void rethrow() {
    call(Exit, 134);
    __trap();
}
inline const char* text_of(const std::exception* thrown) { return thrown->what(); }
inline const char* text_of(const void*) { return "no std::exception"; }
// An assignment binds as loosely as `throw` does.
struct Thrown {
    template <class T>
    void operator=(const T& thrown) const {
        printf("thrown: %s\n", text_of(&thrown));
        call(Exit, 1);
        __trap();
    }
};
// What a `catch` that never runs would catch.
struct NeverThrown {
    void* nothing = nullptr;
    template <class T>
    operator const T&() const {
        return *static_cast<const T*>(nothing);
    }
    template <class T>
    operator T&() const {
        return *static_cast<T*>(nothing);
    }
};
}  // namespace workbook
#define throw ::workbook::Thrown() =
#define try if (true)
#define catch(variable) else if (variable = ::workbook::NeverThrown(); false)
