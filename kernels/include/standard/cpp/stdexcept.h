// The standard exceptions. `throw` prints the text and ends the host function; nothing can catch it.
#pragma once
#include "stdio.h"
#include "stdlib.h"

namespace std {

class exception {
   public:
    exception(const char* text = "std::exception") : text_(text) {}
    const char* what() const noexcept { return text_; }

   private:
    const char* text_;
};

#define WORKBOOK_EXCEPTION(name, base)                                    \
    class name : public base {                                            \
       public:                                                            \
        explicit name(const char* text = "std::" #name) : base(text) {}   \
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
};
}  // namespace workbook
#define throw ::workbook::Thrown() =
