// What clang's own checks for undefined behaviour call (--ub; src/native/compile/compile.cpp says which checks there are).
//
// A check passes constant data about the place, in the layout that clang shares with its own runtime, and the values
// involved. The place is known anyway.

#include <stdarg.h>

#include "failure.h"
#include "format.h"

namespace {

struct Location {
  const char* file;
  uint32_t line, column;
};

struct Type {
  uint16_t kind;         // 0: an integer
  uint16_t information;  // of an integer: bit 0 is set if it is signed; above it is the logarithm of its width
  char name[1];          // in quotes

  bool isSmallInteger() const { return kind == 0 && information >> 1 <= 6; }
  bool isSigned() const { return information & 1; }
};

struct OutOfBounds {
  Location location;
  const Type* array;
  const Type* index;
};

struct InvalidValue {
  Location location;
  const Type* type;
};

[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  heddle::library::fail(heddle::library::Failure::undefinedBehaviour, heddle::library::Text(format, arguments).data());
}

// A narrow number is passed as it is, without regard to its sign.
long signedValue(const Type& type, uintptr_t value) {
  const unsigned unused = 64 - (1u << (type.information >> 1));
  return static_cast<long>(value << unused) >> unused;
}

}  // namespace

extern "C" {

void __ubsan_handle_out_of_bounds_abort(const OutOfBounds* data, uintptr_t index) {
  if (!data->index->isSmallInteger()) fail("an index is out of bounds of an array of type %s", data->array->name);
  if (!data->index->isSigned()) fail("index %lu is out of bounds of an array of type %s", index, data->array->name);
  fail("index %ld is out of bounds of an array of type %s", signedValue(*data->index, index), data->array->name);
}

void __ubsan_handle_load_invalid_value_abort(const InvalidValue* data, uintptr_t value) {
  if (!data->type->isSmallInteger()) fail("a value that is not one of type %s", data->type->name);
  fail("%lu is not a value of type %s", value, data->type->name);
}

void __ubsan_handle_vla_bound_not_positive_abort(const InvalidValue*, uintptr_t) {
  fail("the size of an array of variable length is not positive");
}

void __ubsan_handle_pointer_overflow_abort(const Location*, uintptr_t, uintptr_t) {
  fail("a sum of a pointer and a number that is not an address");
}

void __ubsan_handle_nonnull_arg_abort(const Location*) { fail("a null pointer as an argument that must not be one"); }

void __ubsan_handle_nonnull_return_v1_abort(const void*, const Location*) {
  fail("a null pointer returned by a function that must not return one");
}

void __ubsan_handle_invalid_builtin_abort(const Location*) { fail("zero as an argument of __builtin_clz or __builtin_ctz"); }
}
