// See format.h.

#include "format.h"

#include <string.h>

#include "failure.h"

namespace heddle::library {

namespace {

// A conversion of a format: "%-8.*lf". Steps through it and takes its arguments.
class Conversion {
 public:
  Conversion(const char* format, va_list& arguments) : at_(format), arguments_(arguments) {}

  // `at_` is behind the '%'. Returns where the conversion ends.
  const char* check() {
    while (strchr("-+ #0'", *at_) && *at_) ++at_;
    number();
    if (*at_ == '.') {
      ++at_;
      precision_ = 0;
      number(&precision_);
    }
    length();
    take();
    return at_ + 1;
  }

 private:
  void number(int* value = nullptr) {
    if (*at_ == '*') {
      ++at_;
      const int argument = va_arg(arguments_, int);
      if (value) *value = argument;
      return;
    }
    for (; *at_ >= '0' && *at_ <= '9'; ++at_) {
      if (value) *value = *value * 10 + (*at_ - '0');
    }
  }

  void length() {
    for (; *at_ && strchr("hlLqjzt", *at_); ++at_) {
      if (*at_ == 'L') longDouble_ = true;
      if (*at_ != 'h' && *at_ != 'L') long_ = true;
    }
  }

  void take() {
    switch (*at_) {
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
      case 'c':
        if (long_) {
          va_arg(arguments_, long);
        } else {
          va_arg(arguments_, int);
        }
        break;
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        if (longDouble_) {
          va_arg(arguments_, long double);
        } else {
          va_arg(arguments_, double);
        }
        break;
      case 's': checkString(va_arg(arguments_, const char*)); break;
      case 'p': va_arg(arguments_, void*); break;
      case '%':
      case 'm': break;
      default: fail(Failure::unsupported, "this conversion of a format of printf is not supported");
    }
  }

  void checkString(const char* text) {
    if (long_) fail(Failure::unsupported, "strings of wide characters are not supported in printf");
    if (!text) fail(Failure::misuse, "a null pointer is printed as a string");
    [[maybe_unused]] const size_t read = precision_ < 0 ? strlen(text) : strnlen(text, static_cast<size_t>(precision_));
  }

  const char* at_;
  va_list& arguments_;
  int precision_ = -1;
  bool long_ = false, longDouble_ = false;
};

}  // namespace

size_t measure(const char* format, va_list arguments) {
  struct Copy {
    va_list list;
  } copy;
  va_copy(copy.list, arguments);
  const uint32_t position = heddle_position();
  for (const char* at = format; *at;) {
    if (*at++ == '%') at = Conversion(at, copy.list).check();
  }
  va_end(copy.list);
  // The host reads the strings once more, which are no longer there to be read if they were in the graph (rf, --races off).
  if (heddle_position() != position) {
    fail(
        Failure::unsupported,
        "printf of a string with atomics in it, or that is raced for, is not supported with these options: print a copy of it");
  }
  va_copy(copy.list, arguments);
  const int length = heddle_format(nullptr, 0, format, copy.list);
  va_end(copy.list);
  return length < 0 ? 0 : static_cast<size_t>(length);
}

Text::Text(const char* format, va_list arguments) : data_(few_), size_(measure(format, arguments)) {
  if (size_ >= sizeof few_) data_ = static_cast<char*>(heddle_allocate(size_ + 1, 1, heddle_heap_malloc));
  heddle_format(data_, size_ + 1, format, arguments);
}

Text::~Text() {
  if (data_ != few_) heddle_free(data_, heddle_heap_malloc);
}

int formatTo(char* buffer, size_t n, const char* format, va_list arguments) {
  const size_t size = measure(format, arguments);
  if (n != 0) heddle_format(buffer, size < n ? size + 1 : n, format, arguments);
  return static_cast<int>(size);
}

}  // namespace heddle::library
