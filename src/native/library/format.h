// Formatted output: the text that printf makes of its arguments.
//
// The host formats; before that everything it will read of the program's memory, the format and the strings that it
// asks for, is read here, so that races, bounds and life are checked.
#pragma once

#include <stdarg.h>

#include "primitives.h"

namespace heddle::library {

// How long the text is. Checks the format and its arguments.
size_t measure(const char* format, va_list arguments);

// The text, for the length of a statement or a scope.
class Text {
 public:
  Text(const char* format, va_list arguments);
  ~Text();
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  const char* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  char few_[256];
  char* data_;
  size_t size_;
};

// Writes at most n bytes, with the 0 at the end; returns the length of the whole text.
int formatTo(char* buffer, size_t n, const char* format, va_list arguments);

}  // namespace heddle::library
