// The standard exceptions. What `throw` does: `runtime/exception.cuh`.
#pragma once
#include "cpp/string.h"
#include "stdio.h"
#include "stdlib.h"

namespace workbook {
// An exception with a text of its own.
class Told : public std::exception {
   public:
    explicit Told(const std::string& text) : text_(text) {}
    const char* what() const noexcept override { return text_.c_str(); }

   private:
    std::string text_;
};
}  // namespace workbook

namespace std {

#define WORKBOOK_EXCEPTION(name, base)                                    \
    class name : public base {                                            \
       public:                                                            \
        explicit name(const char* text = "std::" #name) : base(text) {}   \
        explicit name(const string& text) : base(text) {}                 \
    };
WORKBOOK_EXCEPTION(runtime_error, workbook::Told)
WORKBOOK_EXCEPTION(logic_error, workbook::Told)
WORKBOOK_EXCEPTION(invalid_argument, logic_error)
WORKBOOK_EXCEPTION(out_of_range, logic_error)
WORKBOOK_EXCEPTION(length_error, logic_error)
WORKBOOK_EXCEPTION(bad_alloc, workbook::Told)
#undef WORKBOOK_EXCEPTION

}  // namespace std
