// The functions by which library headers throw.

#include <cxxabi.h>
#include <string.h>

#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>

#include "primitives.h"

extern "C" const void* const systemErrorTable[] __asm__("_ZTVSt12system_error");

namespace std {

void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }
void __throw_bad_function_call() { throw bad_function_call(); }
void __throw_logic_error(const char* text) { throw logic_error(text); }
void __throw_domain_error(const char* text) { throw domain_error(text); }
void __throw_invalid_argument(const char* text) { throw invalid_argument(text); }
void __throw_length_error(const char* text) { throw length_error(text); }
void __throw_out_of_range(const char* text) { throw out_of_range(text); }
void __throw_runtime_error(const char* text) { throw runtime_error(text); }
void __throw_range_error(const char* text) { throw range_error(text); }
void __throw_overflow_error(const char* text) { throw overflow_error(text); }
void __throw_underflow_error(const char* text) { throw underflow_error(text); }

// std::mutex may throw this one, so nearly every program has it; it is made by hand, without the strings that the
// constructor of system_error is made of, to keep small programs small.
void __throw_system_error(int code) {
  struct Layout {
    const void* const* table;
    const char* text;
    int code;
    const error_category* category;
  };
  static_assert(sizeof(Layout) == sizeof(system_error));
  const char* const text = strerror(code);
  const size_t n = strlen(text) + 1;
  auto* const copy = static_cast<char*>(heddle_allocate(n, 1, heddle_heap_malloc));  // as cxx_stdexcept.cpp keeps them
  memcpy(copy, text, n);
  auto* const error = static_cast<Layout*>(abi::__cxa_allocate_exception(sizeof(Layout)));
  *error = {systemErrorTable + 2, copy, code, &generic_category()};
  abi::__cxa_throw(error, const_cast<type_info*>(&typeid(system_error)),
                   [](void* object) { static_cast<system_error*>(object)->~system_error(); });
}

void __throw_out_of_range_fmt(const char* format, ...) {
  char text[256];
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  heddle_format(text, sizeof text, format, arguments);
  __builtin_va_end(arguments);
  throw out_of_range(text);
}

}  // namespace std
