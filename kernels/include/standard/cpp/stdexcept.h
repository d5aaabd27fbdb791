// The standard exceptions. `throw` prints the text and ends the host function: what follows a `catch` never runs.
#pragma once
#include "cpp/string.h"
#include "stdio.h"
#include "stdlib.h"

namespace std {

class exception {
   public:
    exception(const string& text = "std::exception") : text_(text) {}
    virtual ~exception() {}
    virtual const char* what() const noexcept { return text_.c_str(); }

   private:
    string text_;
};

#define WORKBOOK_EXCEPTION(name, base)                                    \
    class name : public base {                                            \
       public:                                                            \
        explicit name(const char* text = "std::" #name) : base(text) {}   \
        explicit name(const string& text) : base(text) {}                 \
    };
WORKBOOK_EXCEPTION(runtime_error, exception)
WORKBOOK_EXCEPTION(logic_error, exception)
WORKBOOK_EXCEPTION(invalid_argument, logic_error)
WORKBOOK_EXCEPTION(out_of_range, logic_error)
WORKBOOK_EXCEPTION(length_error, logic_error)
WORKBOOK_EXCEPTION(bad_alloc, exception)
#undef WORKBOOK_EXCEPTION

}  // namespace std

namespace workbook {
// An assignment binds as loosely as `throw` does.
struct Thrown {
    void operator=(const std::exception& thrown) const {
        printf("thrown: %s\n", thrown.what());
        exit(EXIT_FAILURE);
    }
    // Anything else.
    template <class T, class = std::enable_if_t<!std::is_base_of_v<std::exception, T>>>
    void operator=(const T&) const {
        printf("thrown: no std::exception\n");
        exit(EXIT_FAILURE);
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
