// sscanf, in the "C" locale. Conversions of numbers are strtol's and strtod's, of what a field has room for.

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

using heddle::library::fail;
using heddle::library::Failure;

namespace {

bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

const char* skipSpace(const char* text) {
  while (isSpace(*text)) ++text;
  return text;
}

// %*10lld: what stands between the percent sign and the conversion.
struct Directive {
  bool assigns = true;
  size_t width = 0;  // 0 for none
  int size = sizeof(int);

  const char* read(const char* format) {
    if (*format == '*') assigns = false, ++format;
    while (isDigit(*format)) width = 10 * width + static_cast<size_t>(*format++ - '0');
    for (;; ++format) {
      switch (*format) {
        case 'h': size = size == sizeof(short) ? sizeof(char) : sizeof(short); break;
        case 'l':
        case 'j':
        case 'z':
        case 't':
        case 'q': size = sizeof(long); break;
        case 'L': size = sizeof(long double); break;
        default: return format;
      }
    }
  }
};

// The longest field that strtol or strtod may look at.
constexpr size_t kField = 64;
constexpr int kNothing = -1;  // EOF of stdio.h, which has names of its own for sscanf

class Scanner {
 public:
  Scanner(const char* text, va_list& arguments) : start_(text), text_(text), arguments_(arguments) {}

  size_t consumed() const { return static_cast<size_t>(text_ - start_); }

  int scan(const char* format) {
    for (; *format; ++format) {
      if (isSpace(*format)) {
        text_ = skipSpace(text_);
      } else if (*format != '%') {
        if (*text_ != *format) return result();
        ++text_;
      } else {
        Directive directive;
        format = directive.read(format + 1);
        if (!convert(directive, format)) return result();
      }
    }
    return count_;
  }

 private:
  int result() const { return count_ == 0 && !converted_ && *text_ == 0 ? kNothing : count_; }

  void* target(const Directive& directive) { return directive.assigns ? va_arg(arguments_, void*) : nullptr; }

  // `format` is at the conversion, and afterwards at its end. False: there is nothing for it.
  bool convert(const Directive& directive, const char*& format) {
    const char kind = *format;
    if (kind != '[' && kind != 'c' && kind != 'n') text_ = skipSpace(text_);
    switch (kind) {
      case '%': return *text_ == '%' ? ++text_, true : false;
      case 'n': assign(directive, static_cast<uint64_t>(text_ - start_)); return true;
      case 'd':
      case 'u': return number(directive, 10);
      case 'i': return number(directive, 0);
      case 'o': return number(directive, 8);
      case 'x':
      case 'X': return number(directive, 16);
      case 'p': return pointer(directive);
      case 'a':
      case 'e':
      case 'f':
      case 'g':
      case 'E':
      case 'F':
      case 'G': return real(directive);
      case 'c': return characters(directive);
      case 's': return word(directive, [](char c) { return !isSpace(c); });
      case '[': return set(directive, format);
      default: fail(Failure::unsupported, "this conversion of sscanf is not supported");
    }
  }

  // A copy of what a field of the given width has.
  size_t field(const Directive& directive, char (&copy)[kField]) const {
    const size_t limit = directive.width == 0 || directive.width >= kField ? kField - 1 : directive.width;
    const size_t n = strnlen(text_, limit);
    memcpy(copy, text_, n);
    copy[n] = 0;
    return n;
  }

  void assign(const Directive& directive, uint64_t value) {
    void* const to = target(directive);
    if (!to) return;
    switch (directive.size) {
      case sizeof(char): *static_cast<uint8_t*>(to) = static_cast<uint8_t>(value); break;
      case sizeof(short): *static_cast<uint16_t*>(to) = static_cast<uint16_t>(value); break;
      case sizeof(int): *static_cast<uint32_t*>(to) = static_cast<uint32_t>(value); break;
      default: *static_cast<uint64_t*>(to) = value;
    }
  }

  bool found(const Directive& directive, size_t n) {
    text_ += n;
    count_ += directive.assigns ? 1 : 0;
    converted_ = true;
    return true;
  }

  bool number(const Directive& directive, int base) {
    char copy[kField];
    field(directive, copy);
    char* end = nullptr;
    const bool negative = copy[0] == '-';
    const uint64_t value = negative ? static_cast<uint64_t>(strtol(copy, &end, base)) : strtoul(copy, &end, base);
    if (end == copy) return false;
    assign(directive, value);
    return found(directive, static_cast<size_t>(end - copy));
  }

  bool pointer(Directive directive) {
    directive.size = sizeof(void*);
    return number(directive, 16);
  }

  bool real(const Directive& directive) {
    char copy[kField];
    field(directive, copy);
    char* end = nullptr;
    const double value = strtod(copy, &end);
    if (end == copy) return false;
    if (void* const to = target(directive)) {
      if (directive.size == sizeof(int)) {
        *static_cast<float*>(to) = static_cast<float>(value);
      } else if (directive.size == sizeof(long)) {
        *static_cast<double*>(to) = value;
      } else {
        *static_cast<long double*>(to) = value;
      }
    }
    return found(directive, static_cast<size_t>(end - copy));
  }

  bool characters(const Directive& directive) {
    const size_t n = directive.width == 0 ? 1 : directive.width;
    if (strnlen(text_, n) < n) {
      text_ += strnlen(text_, n);
      return false;
    }
    if (void* const to = target(directive)) memcpy(to, text_, n);
    return found(directive, n);
  }

  template <class Belongs>
  bool word(const Directive& directive, Belongs belongs) {
    if (directive.size != sizeof(int)) fail(Failure::unsupported, "wide strings of sscanf are not supported");
    size_t n = 0;
    while (text_[n] && (directive.width == 0 || n < directive.width) && belongs(text_[n])) ++n;
    if (n == 0) return false;
    if (char* const to = static_cast<char*>(target(directive))) {
      memcpy(to, text_, n);
      to[n] = 0;
    }
    return found(directive, n);
  }

  // [a-z_] or [^,]
  bool set(const Directive& directive, const char*& format) {
    const char* first = format + 1;
    const bool others = *first == '^';
    if (others) ++first;
    const char* last = first + (*first == ']' ? 1 : 0);
    while (*last && *last != ']') ++last;
    if (!*last) fail(Failure::misuse, "a set of characters of sscanf without an end");
    format = last;
    return word(directive, [=](char c) {
      bool in = false;
      for (const char* at = first; at != last; ++at) {
        const bool range = at + 2 < last && at[1] == '-';
        in |= range ? c >= at[0] && c <= at[2] : c == *at;
        if (range) at += 2;
      }
      return in != others;
    });
  }

  const char* const start_;
  const char* text_;
  va_list& arguments_;
  int count_ = 0;
  bool converted_ = false;
};

}  // namespace

extern "C" {

// For file_streams.cpp: says how much of the text it has used.
int heddle_scan(const char* text, const char* format, va_list* arguments, size_t* consumed) {
  va_list own;
  va_copy(own, *arguments);
  Scanner scanner(text, own);
  const int result = scanner.scan(format);
  *consumed = scanner.consumed();
  va_end(own);
  return result;
}

int vsscanf(const char* text, const char* format, va_list arguments) {
  va_list own;
  va_copy(own, arguments);
  const int result = Scanner(text, own).scan(format);
  va_end(own);
  return result;
}
int __isoc99_vsscanf(const char* text, const char* format, va_list arguments) { return vsscanf(text, format, arguments); }
int __isoc23_vsscanf(const char* text, const char* format, va_list arguments) { return vsscanf(text, format, arguments); }

#define SSCANF(name)                                     \
  int name(const char* text, const char* format, ...) {  \
    va_list arguments;                                   \
    va_start(arguments, format);                         \
    const int result = vsscanf(text, format, arguments); \
    va_end(arguments);                                   \
    return result;                                       \
  }
SSCANF(sscanf)
SSCANF(__isoc99_sscanf)
SSCANF(__isoc23_sscanf)
#undef SSCANF

}  // extern "C"
